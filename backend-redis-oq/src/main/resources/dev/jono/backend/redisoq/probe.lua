-- KEYS: the main keys of queues (an index, or the settings of a queue with ordering keys), their indexes if they have ordering
-- keys, then hashes of stats. ARGV: the number of queues. Answers: the time; per queue the time until a message is due, -1 for
-- never; per hash its field paused, or the empty text. If something else is stored under the keys of a queue, the answer for that
-- queue is 0: a waiter then claims, and gets the error.
local now, queues = clock(), tonumber(ARGV[1])
local answer = {now}
for i = 1, queues do
  local ok, millis = pcall(wait, KEYS[i], now)
  if not ok and call('TYPE', KEYS[i]).ok == 'hash' then ok, millis = pcall(wait, KEYS[queues + i], now) end
  answer[i + 1] = ok and millis or 0
end
for i = 2 * queues + 1, #KEYS do answer[#answer + 1] = call('HGET', KEYS[i], 'paused') or '' end
return answer
