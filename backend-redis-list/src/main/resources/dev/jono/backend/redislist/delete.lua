-- KEYS list[, forgotten calls]; ARGV 1 to delete the messages too. Answers 1 if the queue is deleted, and how many messages
-- it held. A list that is empty is not there.
for i = 2, #KEYS do redis.call('UNLINK', KEYS[i]) end
local messages = redis.call('LLEN', KEYS[1])
if messages > 0 and ARGV[1] ~= '1' then return {0, messages} end
redis.call('UNLINK', KEYS[1])
return {1, messages}
