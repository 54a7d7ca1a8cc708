-- KEYS list, call[, forgotten call]; ARGV how long to remember, channel or '', 'push' or 'restore',
-- latest due time or '', then per message: field with its id, or the end of a new id, fields, what stands behind them.
-- Answers the time, the stamp of the new ids, and per message 1 (stored) or 0 (there already); or the time alone where
-- a message is due later, which a list cannot do.
local call, find = redis.call, string.find
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local seen = call('GET', KEYS[2])
if seen then return cmsgpack.unpack(seen) end
if ARGV[4] ~= '' and tonumber(ARGV[4]) > now then return {now} end
if KEYS[3] then call('DEL', KEYS[3]) end

-- A given id may be in the list already. It is looked for near both ends, where what was put back or moved stands.
local ends
local function live(id)
  if not ends then
    ends = call('LRANGE', KEYS[1], 0, 99)
    for _, text in ipairs(call('LRANGE', KEYS[1], -100, -1)) do ends[#ends + 1] = text end
  end
  for _, text in ipairs(ends) do
    if find(text, id, 1, true) then return true end
  end
  return false
end

local stamp = time[1] .. string.sub('00000' .. time[2], -6)
local texts, stored, n = {}, {}, 0
for i = 5, #ARGV, 3 do
  local id, outcome = ARGV[i], '1'
  if string.byte(id) == 45 then
    n = n + 1
    texts[n] = '{' .. ARGV[i + 1] .. ARGV[i + 2] .. ',"_id":"' .. stamp .. id .. '"}'
  elseif live(id) then
    outcome = '0'
  else
    ends[#ends + 1] = id
    n = n + 1
    texts[n] = '{' .. ARGV[i + 1] .. ARGV[i + 2] .. id .. '}'
  end
  stored[#stored + 1] = outcome
end
local answer = {now, stamp, table.concat(stored)}
if n > 0 then call(ARGV[3] == 'restore' and 'RPUSH' or 'LPUSH', KEYS[1], unpack(texts)) end
call('SET', KEYS[2], cmsgpack.pack(answer), 'PX', ARGV[1])
if ARGV[2] ~= '' and n > 0 then call('PUBLISH', ARGV[2], string.sub(stamp, 1, 13)) end
return answer
