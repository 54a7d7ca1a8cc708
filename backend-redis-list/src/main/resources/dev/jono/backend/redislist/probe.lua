-- KEYS lists, then hashes of stats; ARGV how many lists. Answers the time, per list 0 if it holds something, else -1, and
-- per hash its field paused, or the empty text.
local time, lists = redis.call('TIME'), tonumber(ARGV[1])
local answer = {time[1] * 1000 + math.floor(time[2] / 1000)}
for i = 1, lists do answer[i + 1] = redis.call('EXISTS', KEYS[i]) == 1 and 0 or -1 end
for i = lists + 1, #KEYS do answer[i + 1] = redis.call('HGET', KEYS[i], 'paused') or '' end
return answer
