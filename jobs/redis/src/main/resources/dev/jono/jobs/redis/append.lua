-- KEYS the log of events, its readers; ARGV the writer, how many events the log keeps, events. Appends the events if there is a reader
-- other than the writer. Answers 1 if there is one, else 0.
local call = redis.call
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local heard = 0
for _, reader in ipairs(call('ZRANGEBYSCORE', KEYS[2], '(' .. now, '+inf', 'LIMIT', 0, 2)) do
  if reader ~= ARGV[1] then heard = 1 end
end
if heard == 1 then
  for i = 3, #ARGV do call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[2], '*', 'e', ARGV[i]) end
end
return {heard}
