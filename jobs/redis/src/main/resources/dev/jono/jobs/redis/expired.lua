-- ARGV how many jobs at most. Answers the number of records, then jobs whose retention has ended, each followed by this end.
local found = call('ZRANGEBYSCORE', KEYS[ENDS], '-inf', clock(), 'WITHSCORES', 'LIMIT', 0, ARGV[1])
local answer = {call('HLEN', KEYS[RECORDS])}
for i = 1, #found, 2 do
  if call('HEXISTS', KEYS[RECORDS], found[i]) == 1 then
    answer[#answer + 1] = found[i]
    answer[#answer + 1] = found[i + 1]
  else
    call('ZREM', KEYS[ENDS], found[i]) -- the record was deleted by hand: it would stand here for ever
  end
end
return answer
