-- KEYS index, or settings, of the queue; ARGV how many messages of an ordering key may be held, 0 to ask. Makes a queue without
-- messages one with ordering keys. Answers how many may be held of a key now, 0 if the queue has no ordering keys.
local kind = call('TYPE', KEYS[1]).ok
if kind == 'hash' then return {tonumber(call('HGET', KEYS[1], 'keyed') or 0)} end
if kind ~= 'none' or ARGV[1] == '0' then return {0} end
call('HSET', KEYS[1], 'keyed', ARGV[1])
return {tonumber(ARGV[1])}
