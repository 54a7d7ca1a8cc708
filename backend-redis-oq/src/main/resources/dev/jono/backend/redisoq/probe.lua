-- KEYS indexes, then hashes of stats; ARGV how many indexes. Answers the time, per index how long until it has something,
-- -1 for never, and per hash its field paused, or the empty text.
local now, indexes = clock(), tonumber(ARGV[1])
local answer = {now}
for i = 1, indexes do answer[i + 1] = wait(KEYS[i], now) end
for i = indexes + 1, #KEYS do answer[i + 1] = call('HGET', KEYS[i], 'paused') or '' end
return answer
