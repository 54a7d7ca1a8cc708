-- KEYS list, call[, forgotten call]; ARGV how many, most bytes, how long to remember.
-- Answers the time, how many are left, a stamp for those without an id, then the texts, oldest first. What was taken is
-- remembered as a list, which costs less than to make one text of it.
local call = redis.call
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local seen = call('LRANGE', KEYS[2], 0, -1)
if #seen > 0 then
  table.insert(seen, 1, now)
  return seen
end
if KEYS[3] then call('DEL', KEYS[3]) end
local left, limit, bytes, n = tonumber(ARGV[1]), tonumber(ARGV[2]), 0, 3
local answer = {now, 0, time[1] .. string.sub('00000' .. time[2], -6)}
while left > 0 and bytes < limit do
  local texts = call('RPOP', KEYS[1], math.min(left, 20))
  if not texts or #texts == 0 then break end
  for i = 1, #texts do
    n = n + 1
    answer[n] = texts[i]
    bytes = bytes + #texts[i]
  end
  left = left - #texts
end
if n == 3 then return answer end
if left > 0 then answer[2] = call('LLEN', KEYS[1]) end
call('RPUSH', KEYS[2], unpack(answer, 2))
call('PEXPIRE', KEYS[2], ARGV[3])
return answer
