-- Opens a queue with ordering keys. Its keys: index, hash, claims, order, placed, slots, settings.
local K = 7
local limit = call('HGET', KEYS[7], 'keyed')
if not limit then return redis.error_reply('UNKEYED the queue has no ordering keys') end
local keys = ordering(KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6], KEYS[7], tonumber(limit), (clock()))
