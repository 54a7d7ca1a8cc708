-- ARGV how many changes, their jobs, each once, then per change: state, attempt, 1 if it reopens the record or 0, for how long to keep it or
-- '', tags, document, 1 if the lines replace all earlier ones or 0, how many lines, the lines. KEYS has a log for each change with
-- lines. Answers per change S (stored), E (refused: the job had ended) or L (refused: a later run has written).
local MAX_LINES, MAX_BYTES = 1000, 262144
local OPEN, FAILED = '0', '1'
local now = clock()
local changed = stamp(now)
local n = tonumber(ARGV[1])
local texts = call('HMGET', KEYS[RECORDS], unpack(ARGV, 2, n + 1))

local function refusal(known, state, attempt, reopens)
  if reopens == '1' then return not (known and known.state == FAILED) and 'E' end
  if not known then return false end
  if known.state ~= OPEN then return 'E' end
  return state == OPEN and tonumber(attempt) < tonumber(known.attempt) and 'L'
end

-- The bytes of a line's text, which follows its time and attempt.
local function size(line)
  return #line + 1 - match(line, '^%S+ %S+ ()')
end

-- Adds lines to a log, and removes the oldest ones over its limits. Returns its bytes.
local function log(key, bytes, replaces, from, count)
  bytes = tonumber(bytes) or 0
  if replaces then
    call('UNLINK', key)
    bytes = 0
  end
  if count == 0 then return '-' end
  local length = call('RPUSH', key, unpack(ARGV, from, from + count - 1))
  for i = from, from + count - 1 do bytes = bytes + size(ARGV[i]) end
  local gone = 0
  while length - gone > MAX_LINES or bytes > MAX_BYTES do
    local oldest = call('LRANGE', key, gone, gone + 99)
    if #oldest == 0 then break end
    for _, line in ipairs(oldest) do
      if length - gone <= MAX_LINES and bytes <= MAX_BYTES then break end
      bytes = bytes - size(line)
      gone = gone + 1
    end
  end
  if gone > 0 then call('LTRIM', key, gone, -1) end
  return format('%.0f', bytes)
end

local records, r, lists, ends, e, over, before, tagged_now = {}, 0, {}, {}, 0, {}, {}, {}
local outcomes, tills, at, logs = {}, {[''] = '-'}, n + 2, LOGS
for i = 1, n do
  local id, text = ARGV[i + 1], texts[i]
  local state, attempt, reopens, keep, tags, document, replaces, count = unpack(ARGV, at, at + 7)
  local known = text and parse(text)
  local refused = refusal(known, state, attempt, reopens)
  count = tonumber(count)
  local lines = count > 0 or replaces == '1'
  if not refused then
    local till, bytes = tills[keep] or stamp(now + keep), known and known.log or '-'
    tills[keep] = till
    if lines then bytes = log(KEYS[logs], bytes, replaces == '1', at + 8, count) end
    records[r + 1], records[r + 2] = id, written(state, attempt, changed, till, bytes, tags, document)
    r = r + 2
    local list = lists[state] or {}
    lists[state] = list
    list[#list + 1] = 0
    list[#list + 1] = changed .. id
    if till ~= '-' then
      ends[e + 1], ends[e + 2] = till, id
      e = e + 2
    elseif known and known.till ~= '-' then
      over[#over + 1] = id
    end
    if known then before[id] = known end
    if tags ~= '' then tagged_now[#tagged_now + 1] = tagged(id, state, changed, tags) end
  end
  outcomes[i] = refused or 'S'
  if lines then logs = logs + 1 end
  at = at + 8 + count
end

-- First what needs memory, so that Redis refuses it before anything is changed.
if r > 0 then call('HSET', KEYS[RECORDS], unpack(records)) end
for id, record in pairs(before) do unlist(id, record) end
for state, list in pairs(lists) do call('ZADD', KEYS[LISTS + state], unpack(list)) end
for _, entries in ipairs(tagged_now) do
  for i = #entries, 1, -1 do table.insert(entries, i, 0) end
  call('ZADD', KEYS[TAGS], unpack(entries))
end
if e > 0 then call('ZADD', KEYS[ENDS], unpack(ends)) end
if #over > 0 then call('ZREM', KEYS[ENDS], unpack(over)) end
return {table.concat(outcomes)}
