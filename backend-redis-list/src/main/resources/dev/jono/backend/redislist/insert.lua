-- KEYS list, call, call before (of the first of a list: its own)[, forgotten call]; ARGV how long to remember, channel or '', LPUSH or RPUSH, latest due time or '', stamp
-- of the new ids, how many texts, the texts, and, where ids were given, per text the field with its id, or ''.
-- Answers the time, the stamp, per text 1 (stored) or 0 (there already), and why a signal was refused, if it was; or the
-- time alone where a message is due later, which a list cannot do; nothing where the call before is not done: then this one
-- would be overtaking it. The texts are complete: to make one here would cost as
-- much as all else.
local call, find, sub = redis.call, string.find, string.sub
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local seen = call('GET', KEYS[2])
if seen then
  call('PEXPIRE', KEYS[2], ARGV[1]) -- a write, so that waiting for replicas waits for this call
  return {now, sub(seen, 1, 16), sub(seen, 17)}
end
if KEYS[3] ~= KEYS[2] and call('EXISTS', KEYS[3]) == 0 then return {} end
if ARGV[4] ~= '' and tonumber(ARGV[4]) > now then return {now} end

-- A given id may be in the list already. It is looked for near both ends, where what was put back or moved stands.
local known, others
local function look(first, last, step) -- from the end of the list on
  local bytes = 0
  for from = first, last, step do
    for _, text in ipairs(call('LRANGE', KEYS[1], from, from + 19)) do
      bytes = bytes + #text
      local id = string.match(text, '.*(,"_id":"[^"]*")}$') -- as Jono writes it: last
      if id then known[id] = true else others[#others + 1] = text end
    end
    if bytes > 2097152 then break end
  end
end
local function live(id)
  if not known then
    known, others = {}, {}
    look(0, 99, 20)
    look(-20, -100, -20)
  end
  if known[id] then return true end
  for _, text in ipairs(others) do
    if find(text, id, 1, true) then return true end
  end
  return false
end

local n, any, stored = tonumber(ARGV[6]), true, nil
if #ARGV == 6 + n then
  stored = string.rep('1', n)
  call(ARGV[3], KEYS[1], unpack(ARGV, 7))
else
  local texts, outcomes = {}, {}
  for i = 1, n do
    local id = ARGV[6 + n + i]
    if id ~= '' and live(id) then
      outcomes[i] = '0'
    else
      outcomes[i] = '1'
      texts[#texts + 1] = ARGV[6 + i]
      if id ~= '' then known[id] = true end
    end
  end
  any = #texts > 0
  if any then call(ARGV[3], KEYS[1], unpack(texts)) end
  stored = table.concat(outcomes)
end
call('SET', KEYS[2], ARGV[5] .. stored, 'PX', ARGV[1])
if KEYS[4] then call('DEL', KEYS[4]) end
local answer = {now, ARGV[5], stored}
if ARGV[2] ~= '' and any then
  -- What was done before is done: a signal that Redis refuses is told behind the answer.
  local sent = redis.pcall('PUBLISH', ARGV[2], string.format('%.0f', now))
  if type(sent) == 'table' then answer[4] = sent.err end
end
return answer
