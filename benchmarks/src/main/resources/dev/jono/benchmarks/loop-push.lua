-- Pushes messages. KEYS index, hash[, this call, call to forget]; ARGV per message: id, its JSON up to the due time. Returns how many.
local seen = KEYS[3] and redis.call('GET', KEYS[3])
if seen then return tonumber(seen) end
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local texts, scores = {}, {}
for i = 1, #ARGV, 2 do
  texts[i], texts[i + 1] = ARGV[i], ARGV[i + 1] .. now .. '}'
  scores[i], scores[i + 1] = now, ARGV[i]
end
redis.call('HSET', KEYS[2], unpack(texts))
redis.call('ZADD', KEYS[1], unpack(scores))
if KEYS[3] then
  redis.call('SET', KEYS[3], #ARGV / 2, 'PX', 600000)
  redis.call('DEL', KEYS[4])
end
return #ARGV / 2
