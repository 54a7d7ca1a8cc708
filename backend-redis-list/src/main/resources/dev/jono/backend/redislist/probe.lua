-- KEYS lists. Answers the time, then per list 0 if it holds something, else -1.
local time = redis.call('TIME')
local answer = {time[1] * 1000 + math.floor(time[2] / 1000)}
for i, list in ipairs(KEYS) do answer[i + 1] = redis.call('EXISTS', list) == 1 and 0 or -1 end
return answer
