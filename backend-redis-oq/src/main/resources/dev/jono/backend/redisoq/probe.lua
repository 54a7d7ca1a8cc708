-- KEYS indexes. Answers the time, then per index how long until it has something; -1 for never.
local now = clock()
local answer = {now}
for i, index in ipairs(KEYS) do answer[i + 1] = wait(index, now) end
return answer
