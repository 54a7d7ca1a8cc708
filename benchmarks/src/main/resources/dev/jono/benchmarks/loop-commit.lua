-- Acks messages. KEYS index, hash, claims; ARGV end of the lease, token, ids. Returns how many were still leased under the token.
local ends = ARGV[1]
if not redis.call('ZSCORE', KEYS[3], ARGV[2] .. ends) then return 0 end
local there, done = {}, {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], ends, ends)) do there[id] = true end
for i = 3, #ARGV do
  if there[ARGV[i]] then done[#done + 1] = ARGV[i] end
end
if #done == 0 then return 0 end
redis.call('ZREM', KEYS[1], unpack(done))
redis.call('HDEL', KEYS[2], unpack(done))
if redis.call('ZCOUNT', KEYS[1], ends, ends) == 0 then redis.call('ZREM', KEYS[3], ARGV[2] .. ends) end
return #done
