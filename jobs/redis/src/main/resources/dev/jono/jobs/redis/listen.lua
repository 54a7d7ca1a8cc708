-- KEYS the log of events, its readers; ARGV a reader, its lease in milliseconds or 0 to remove it. Answers the position of the last
-- event.
local call = redis.call
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local over = call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, 100)
over[#over + 1] = ARGV[1]
call('ZREM', KEYS[2], unpack(over))
if ARGV[2] ~= '0' then call('ZADD', KEYS[2], now + ARGV[2], ARGV[1]) end
local last = call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
return {last[1] and last[1][1] or '0-0'}
