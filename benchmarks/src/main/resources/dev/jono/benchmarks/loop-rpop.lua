-- Pops from a list. KEYS list, this call, call to forget; ARGV maximum number. Returns the texts, also if the call is repeated.
local seen = redis.call('LRANGE', KEYS[2], 0, -1)
if #seen > 0 then return seen end
local texts = redis.call('RPOP', KEYS[1], ARGV[1])
if not texts then return {} end
redis.call('RPUSH', KEYS[2], unpack(texts))
redis.call('PEXPIRE', KEYS[2], 600000)
redis.call('DEL', KEYS[3])
return texts
