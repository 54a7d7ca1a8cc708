-- What those scripts share that know of messages and leases.
--
-- A lease is one of many: of all that one claim brought, or one extend was about. The third key, a sorted set, holds an entry
-- for each by its end: the fence of the claim, and 1 if it is about one message, else +, and the end again. The index holds the
-- messages by that end, which no other lease has: what stands there is held under that fence, whatever its text says.
--
-- A message that nobody has settled yet stands as push wrote it, with MARK at its end while it is leased, or since, so that keuss
-- spares it; one that is large has no mark (see claim). Any other ends in Jono's fields, always TAIL bytes long, so that they
-- are found and replaced without reading the JSON (of a field that stands twice the last counts, for keuss too):
--   ,"tries":     3,"reserved":true ,"jono":"<due> <missed> <expired> <fence>"}
-- due: its place; missed: deliveries that ended by expiry, which keuss's tries do not count; expired: e if the claim found
-- it so; fence: of the latest claim. One that is reserved by these fields, and stands in its place, was leased until the
-- end, and is still its holder's until somebody else takes it.
local TAIL = 81
local MARK = ',"reserved":true}'

-- What the index holds, in 15 digits.
local function score15(text)
  if #text == 13 and byte(text) ~= 45 and not find(text, '.', 1, true) then return '00' .. text end
  return scored(tonumber(text) or 0)
end

-- Where in the index something stands, as a text that sorts as the index does; behind it goes the id.
local PLACE = 19
local function place(score)
  return find(score, '.', 1, true) and format('%019.3f', tonumber(score)) or score15(score) .. '.000'
end

-- Whether a text speaks of a reservation. Nearly none has what is looked for first.
local function speaks(text) return find(text, 'ved"', 1, true) and find(text, '"reserved"', 1, true) end

-- Whether a message without Jono's fields says of reservations and tries what only a parser can tell.
local function intricate(text)
  if speaks(text) then return true end
  local at = find(text, '"tries"', 1, true)
  while at do
    if sub(text, at + 7, at + 9) ~= ':0,' then return true end
    at = find(text, '"tries"', at + 9, true)
  end
  return false
end

-- How a text may end behind its due time, as push writes it.
local function ending(text)
  return text == '}' or text == ',"type":"buffer"}' or text == ',"kind":"json"}'
    or text == ',"type":"buffer","kind":"json"}' or text == ',"type":"buffer","kind":"string"}'
end

-- Whether a message stands as push writes it, and nobody has reserved it. Then its due time is told by the end, too.
local UNTRIED = ',"tries":0,"hdrs":{},"mature":'
local function untouched(text)
  if #text > 44 and find(text, UNTRIED, -44, true) == #text - 43 and find(text, '^%d+}', -14) then
    return not speaks(text)
  end
  local rest = string.match(sub(text, -60), ',"mature":%d%d%d%d%d%d%d%d%d%d%d%d%d([^%d].*)$')
  return rest and ending(rest) and not intricate(text)
end
local function mature(text) return '00' .. string.match(sub(text, -60), ',"mature":(%d+)[^%d]*$') end

-- Text without its end, tries, reserved, missed; and, where they are told, due and fence.
local function parse(text)
  if sub(text, -49, -41) == ',"jono":"' and sub(text, -81, -73) == ',"tries":' then
    return sub(text, 1, -TAIL - 1), tonumber(sub(text, -72, -67)), sub(text, -54, -54) == 't',
      tonumber(sub(text, -24, -19)), sub(text, -40, -26), sub(text, -15, -3)
  end
  local head = text
  if sub(text, -1) == '}' then head = sub(text, 1, -2) end
  if untouched(text) then return head, 0, false, 0, mature(text) end
  if sub(text, -#MARK) == MARK then
    local before = sub(text, 1, -#MARK - 1)
    if untouched(before .. '}') then return before, 0, true, 0, mature(before) end
  end
  local tries, reserved, missed = 0, false, 0
  if intricate(text) then
    -- Written by a keuss process. It is read here, and never written back in this form.
    local ok, message = pcall(cjson.decode, text)
    if ok and type(message) == 'table' then
      tries = tonumber(message.tries) or 0
      reserved = message.reserved == true
      if type(message.jono) == 'string' then missed = tonumber(sub(message.jono, 17, 22)) or 0 end
    end
  end
  return head, tries, reserved, missed
end

local function tail(tries, reserved, due, missed, expired, fence)
  return format(',"tries":%6d,"reserved":%s,"jono":"%s %06d %s %s"}', math.min(tries, 999999),
    reserved and 'true ' or 'false', due, math.min(missed, 999999), expired, fence)
end

-- Whose lease ends at a score, as the index tells it: its fence, and the whole entry; nil if nobody's.
local leases = {}
local function lease(claims, ends)
  if leases[ends] == nil then
    leases[ends] = call('ZRANGEBYSCORE', claims, ends, ends, 'LIMIT', 0, 1)[1] or false
  end
  local entry = leases[ends]
  if entry then return sub(entry, 1, 13), entry end
end

-- A new lease; its end. That is some part of a millisecond later than was asked for, so that it is nobody else's: all else in
-- the index has whole milliseconds.
local part
local function lend(claims, now, stamp, millis, fence, count)
  local at, ends = plain(scored(now + millis)), nil
  part = part or tonumber(sub(stamp, -3))
  repeat
    if part % 1000 == 0 then part = part + 1 end
    ends = format('%.0f.%03d', at + math.floor(part / 1000), part % 1000)
    part = part + 1
  until call('ZCOUNT', claims, ends, ends) == 0
  call('ZADD', claims, ends, fence .. (count == 1 and '1' or '+') .. ends)
  return ends
end

-- Some that a lease was about are settled, or have another; where none is left, it ends.
local function forget(index, claims, ends)
  local _, entry = lease(claims, ends)
  if entry and (byte(entry, 14) == 49 or call('ZCOUNT', index, ends, ends) == 0) then
    call('ZREM', claims, entry)
    leases[ends] = nil
  end
end

-- Whether a holder still has a message: D, S (another's, or nobody's) or G; how many bytes were read to know it; of D the end
-- of the lease, as the index tells it, or its place.
local function held(index, hash, claims, id, fence)
  local score = call('ZSCORE', index, id)
  if score and lease(claims, score) == fence then return 'D', 0, score end
  local text = call('HGET', hash, id)
  if not text then return 'G', 0 end
  local _, _, reserved, _, due, owner = parse(text)
  if score and reserved and owner == fence and due == score15(score) then return 'D', #text, score end
  return 'S', #text
end

-- Whether somebody holds what is not due: by a lease, or, as its text tells, keuss.
local function reserved(claims, score, text)
  return lease(claims, score) or (text and select(3, parse(text)))
end

-- The texts of messages, as far as they fit: where the first are large, only some more at a time are read. A script that
-- had to read all of them to find out would hold Redis for long.
local function read(hash, ids, limit)
  local few = math.min(8, #ids)
  local texts, bytes = call('HMGET', hash, unpack(ids, 1, few)), 0
  for i = 1, few do bytes = bytes + (texts[i] and #texts[i] or 0) end
  local small = bytes * 16 <= limit
  while #texts < #ids and bytes <= limit do
    local from = #texts + 1
    local more = call('HMGET', hash, unpack(ids, from, math.min(#ids, from - 1 + (small and math.min(32, #texts) or 8))))
    for i = 1, #more do
      texts[from + i - 1] = more[i]
      bytes = bytes + (more[i] and #more[i] or 0)
    end
    small = bytes * 16 <= limit
  end
  return texts
end

-- What Jono leased and nobody settled goes back to its place, so that it is found in its old order: so many messages at most.
-- Answers up to which score the index may be taken from then: what ended and was not looked at yet is not to be met there.
local function sweep(index, hash, claims, now, most, limit)
  local ended = call('ZRANGEBYSCORE', claims, '-inf', now, 'WITHSCORES', 'LIMIT', 0, 101)
  if #ended == 0 then return now end
  -- Begun with a removal, a script may go on where the memory is full: consuming is what frees it.
  call('ZREM', claims, '')
  local bytes = 0
  for i = 1, #ended, 2 do
    local entry, ends = ended[i], ended[i + 1]
    if most <= 0 or bytes > limit or i > 200 then return '(' .. ends end
    local ids, fence, rest = call('ZRANGEBYSCORE', index, ends, ends, 'LIMIT', 0, most), sub(entry, 1, 13), false
    if #ids == most then rest = call('ZCOUNT', index, ends, ends) > most end
    most = most - #ids
    for j = 1, #ids do
      if bytes > limit then return '(' .. ends end
      local id = ids[j]
      local text = call('HGET', hash, id)
      if text then
        bytes = bytes + #text
        local head, tries, reserved, missed, due, owner = parse(text)
        if not (due and reserved and owner == fence) then
          due = due or score15(ends)
          call('HSET', hash, id, head .. tail(tries, true, due, missed, '-', fence))
        end
        call('ZADD', index, 'XX', due, id)
      else
        call('ZREM', index, id)
      end
    end
    if rest then return '(' .. ends end
    call('ZREM', claims, entry)
  end
  return now
end

-- Milliseconds until the first of an index can be claimed; -1 if it is empty.
local function wait(index, now)
  local first = call('ZRANGE', index, 0, 0, 'WITHSCORES')
  if #first == 0 then return -1 end
  return math.max(0, math.ceil(first[2] - now))
end
