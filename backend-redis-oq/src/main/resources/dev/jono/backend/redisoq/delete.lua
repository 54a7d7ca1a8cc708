-- KEYS index, hash, claims[, forgotten calls]; ARGV 1 to delete the messages too. Answers 1 if the queue is deleted, and how
-- many messages it held.
for i = 4, #KEYS do call('UNLINK', KEYS[i]) end
local messages = call('ZCARD', KEYS[1])
if messages > 0 and ARGV[1] ~= '1' then return {0, messages} end
call('UNLINK', KEYS[1], KEYS[2], KEYS[3])
return {1, messages}
