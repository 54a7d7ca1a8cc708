-- KEYS index, hash, claims, call[, forgotten call]; ARGV how many, most bytes, how long to remember.
-- Answers the time, how long until more, then per message: id, score, text.
local now = clock()
local seen = call('GET', KEYS[4])
if seen then return cmsgpack.unpack(seen) end
if KEYS[5] then call('DEL', KEYS[5]) end
local most = tonumber(ARGV[1])
sweep(KEYS[1], KEYS[2], KEYS[3], now, most)
local found = call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'WITHSCORES', 'LIMIT', 0, most)
if #found == 0 then return {now, wait(KEYS[1], now)} end

local ids = {}
for i = 1, #found, 2 do ids[#ids + 1] = found[i] end
local texts = call('HMGET', KEYS[2], unpack(ids))
local answer, gone, claims, bytes, taken = {now, 0}, {}, {}, 0, 0
for i, id in ipairs(ids) do
  local text = texts[i]
  gone[i] = id -- an entry without a message goes too: it would block the queue
  if text then
    local n = #answer
    answer[n + 1], answer[n + 2], answer[n + 3] = id, score15(found[2 * i]), text
    taken = taken + 1
    bytes = bytes + #text
    if bytes > tonumber(ARGV[2]) then break end
  end
end
call('ZREM', KEYS[1], unpack(gone))
call('HDEL', KEYS[2], unpack(gone))
if taken < most then answer[2] = wait(KEYS[1], now) end
if taken > 0 then call('SET', KEYS[4], cmsgpack.pack(answer), 'PX', ARGV[3]) end
return answer
