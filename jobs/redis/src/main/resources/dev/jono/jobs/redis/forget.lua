-- KEYS the types; ARGV the name of a type, seconds. Removes it if it was not used for these seconds.
local time, used = redis.call('TIME'), redis.call('ZSCORE', KEYS[1], ARGV[1])
if used and used + ARGV[2] <= tonumber(time[1]) then redis.call('ZREM', KEYS[1], ARGV[1]) end
return {}
