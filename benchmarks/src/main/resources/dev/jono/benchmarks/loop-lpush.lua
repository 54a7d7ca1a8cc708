-- KEYS list, call, forgotten call; ARGV texts. Answers how many, also where the call was made before.
local seen = redis.call('GET', KEYS[2])
if seen then return tonumber(seen) end
redis.call('LPUSH', KEYS[1], unpack(ARGV))
redis.call('SET', KEYS[2], #ARGV, 'PX', 600000)
redis.call('DEL', KEYS[3])
return #ARGV
