-- KEYS hash; ARGV after how many milliseconds without use it expires, the queue's name, its namespace, the paused flag or ''
-- to leave it, then per counter: field, count. One whose queue is paused does not expire: the pause would end with it.
-- Answers why a count could not be added, if one could not.
local call, key, refused = redis.call, KEYS[1], {}
call('HSET', key, 'name', ARGV[2], 'ns', ARGV[3])
call('HSETNX', key, 'opts', '{}')
if ARGV[4] ~= '' then call('HSET', key, 'paused', ARGV[4]) end
for i = 5, #ARGV, 2 do
  local sum = redis.pcall('HINCRBY', key, ARGV[i], ARGV[i + 1])
  if type(sum) == 'table' then refused[1] = sum.err end
end
if call('HGET', key, 'paused') == 'true' then
  call('PERSIST', key)
else
  call('PEXPIRE', key, ARGV[1])
end
return refused
