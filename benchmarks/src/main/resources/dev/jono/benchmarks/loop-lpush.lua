-- Pushes to a list. KEYS list, this call, call to forget; ARGV texts. Returns how many, also if the call is repeated.
local seen = redis.call('GET', KEYS[2])
if seen then return tonumber(seen) end
redis.call('LPUSH', KEYS[1], unpack(ARGV))
redis.call('SET', KEYS[2], #ARGV, 'PX', 600000)
redis.call('DEL', KEYS[3])
return #ARGV
