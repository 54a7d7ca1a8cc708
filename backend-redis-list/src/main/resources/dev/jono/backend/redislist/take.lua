-- KEYS list, call[, forgotten call]; ARGV how many, most bytes, how long to remember.
-- Answers the time, how many are left, a stamp for those without an id, then the texts, oldest first.
local call = redis.call
local time = call('TIME')
local seen = call('GET', KEYS[2])
if seen then return cmsgpack.unpack(seen) end
if KEYS[3] then call('DEL', KEYS[3]) end
local left, limit, bytes = tonumber(ARGV[1]), tonumber(ARGV[2]), 0
local answer = {time[1] * 1000 + math.floor(time[2] / 1000), 0, string.format('%.0f', time[1] * 1000000 + time[2])}
while left > 0 and bytes < limit do
  local texts = call('RPOP', KEYS[1], math.min(left, 20))
  if not texts or #texts == 0 then break end
  for _, text in ipairs(texts) do
    answer[#answer + 1] = text
    bytes = bytes + #text
  end
  left = left - #texts
end
if #answer == 3 then return answer end
if left > 0 then answer[2] = call('LLEN', KEYS[1]) end
call('SET', KEYS[2], cmsgpack.pack(answer), 'PX', ARGV[3])
return answer
