-- KEYS index, hash, claims; ARGV token, ids. Answers how many were still held under the token.
local ids, done, claims = {}, {}, {}
for i = 2, #ARGV do ids[i - 1] = ARGV[i] end
for i, text in ipairs(redis.call('HMGET', KEYS[2], unpack(ids))) do
  if text and string.sub(text, -15, -3) == ARGV[1] then
    done[#done + 1] = ids[i]
    claims[#claims + 1] = string.sub(text, -56, -42) .. ids[i]
  end
end
if #done == 0 then return 0 end
redis.call('ZREM', KEYS[1], unpack(done))
redis.call('HDEL', KEYS[2], unpack(done))
redis.call('ZREM', KEYS[3], unpack(claims))
return #done
