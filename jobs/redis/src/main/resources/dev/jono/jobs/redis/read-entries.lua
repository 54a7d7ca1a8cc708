-- KEYS as for change-entries; ARGV names. Answers the time in milliseconds, then the text of each entry or false.
local time = redis.call('TIME')
local texts = #ARGV > 0 and redis.call('HMGET', KEYS[1], unpack(ARGV)) or {}
return {time[1] * 1000 + math.floor(time[2] / 1000), texts}
