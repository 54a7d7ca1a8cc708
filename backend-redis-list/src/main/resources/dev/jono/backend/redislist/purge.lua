-- KEYS list. Answers how many there were.
local all = redis.call('LLEN', KEYS[1])
redis.call('UNLINK', KEYS[1])
return {all}
