-- Leases messages. KEYS index, hash, claims[, this call, call to forget]; ARGV maximum number, lease in ms, token. Returns the end of
-- the lease, then an id and a text for each message. As in Jono, each text gets the mark of keuss, and the lease is one entry.
local seen = KEYS[4] and redis.call('GET', KEYS[4])
if seen then
  local again = {seen}
  local before = redis.call('ZRANGEBYSCORE', KEYS[1], seen, seen)
  for i, text in ipairs(#before > 0 and redis.call('HMGET', KEYS[2], unpack(before)) or {}) do
    again[2 * i], again[2 * i + 1] = before[i], text
  end
  return again
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
if #ids == 0 then return {''} end
local texts = redis.call('HMGET', KEYS[2], unpack(ids))
local ends = now + ARGV[2] .. string.format('.%03d', time[2] % 1000)
local answer, kept, moved = {ends}, {}, {}
for i, id in ipairs(ids) do
  kept[2 * i - 1], kept[2 * i] = id, string.sub(texts[i], 1, -2) .. ',"reserved":true}'
  moved[2 * i - 1], moved[2 * i] = ends, id
  answer[2 * i], answer[2 * i + 1] = id, texts[i]
end
redis.call('HSET', KEYS[2], unpack(kept))
redis.call('ZADD', KEYS[1], unpack(moved))
redis.call('ZADD', KEYS[3], ends, ARGV[3] .. ends)
if KEYS[4] then
  redis.call('SET', KEYS[4], ends, 'PX', 600000)
  redis.call('DEL', KEYS[5])
end
return answer
