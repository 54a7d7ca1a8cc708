-- KEYS list. Answers the time, how many it holds, and its oldest text.
local time = redis.call('TIME')
local oldest = redis.call('LINDEX', KEYS[1], -1)
return {time[1] * 1000 + math.floor(time[2] / 1000), redis.call('LLEN', KEYS[1]), oldest or ''}
