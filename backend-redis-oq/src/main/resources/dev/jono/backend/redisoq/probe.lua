-- KEYS indexes, then hashes of stats; ARGV how many indexes. Answers the time, per index how long until it has something,
-- -1 for never, and per hash its field paused, or the empty text. Something else under an index hides no other queue: of it 0,
-- so that whoever waits asks, and is told.
local now, indexes = clock(), tonumber(ARGV[1])
local answer = {now}
for i = 1, indexes do
  local ok, millis = pcall(wait, KEYS[i], now)
  answer[i + 1] = ok and millis or 0
end
for i = indexes + 1, #KEYS do answer[i + 1] = call('HGET', KEYS[i], 'paused') or '' end
return answer
