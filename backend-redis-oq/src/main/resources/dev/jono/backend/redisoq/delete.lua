-- KEYS of the queue[, forgotten calls]; ARGV 1 to delete the messages too. Answers 1 if the queue is deleted, and how many
-- messages it held.
for i = K + 1, #KEYS do call('UNLINK', KEYS[i]) end
local messages = keys and call('HLEN', KEYS[2]) or call('ZCARD', KEYS[1])
if messages > 0 and ARGV[1] ~= '1' then return {0, messages} end
call('UNLINK', unpack(KEYS, 1, K))
return {1, messages}
