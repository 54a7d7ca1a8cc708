-- Pops messages. KEYS index, hash[, this call, call to forget]; ARGV maximum number. Returns the texts.
local seen = KEYS[3] and redis.call('LRANGE', KEYS[3], 0, -1) or {}
if #seen > 0 then return seen end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local ids = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[1])
if #ids == 0 then return {} end
local texts = redis.call('HMGET', KEYS[2], unpack(ids))
redis.call('ZREM', KEYS[1], unpack(ids))
redis.call('HDEL', KEYS[2], unpack(ids))
if KEYS[3] then
  redis.call('RPUSH', KEYS[3], unpack(texts))
  redis.call('PEXPIRE', KEYS[3], 600000)
  redis.call('DEL', KEYS[4])
end
return texts
