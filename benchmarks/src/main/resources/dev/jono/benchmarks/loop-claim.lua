-- KEYS index, hash, claims[, call, forgotten call]; ARGV how many, lease, token. Answers ids and texts in turn. Behind the message stand the
-- fields that Jono writes, as long as Jono's.
local seen = KEYS[4] and redis.call('GET', KEYS[4])
if seen then
  local before, again = cmsgpack.unpack(seen), {}
  for i, text in ipairs(redis.call('HMGET', KEYS[2], unpack(before))) do
    again[2 * i - 1], again[2 * i] = before[i], text
  end
  return again
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local found = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'WITHSCORES', 'LIMIT', 0, ARGV[1])
if #found == 0 then return {} end
local ids = {}
for i = 1, #found, 2 do ids[#ids + 1] = found[i] end
local texts = redis.call('HMGET', KEYS[2], unpack(ids))
local ends = string.format('%015.0f', now + ARGV[2])
local kept, moved, claims = {}, {}, {}
for i, id in ipairs(ids) do
  local due = '00' .. found[2 * i]
  kept[2 * i - 1] = id
  kept[2 * i] = string.sub(texts[i], 1, -2) .. ',"tries":     0,"reserved":true ,"jono":"' .. due .. ' ' .. ends
    .. ' 000000 - ' .. ARGV[3] .. '"}'
  moved[2 * i - 1], moved[2 * i] = ends, id
  claims[2 * i - 1], claims[2 * i] = ends, due .. id
end
redis.call('HSET', KEYS[2], unpack(kept))
redis.call('ZADD', KEYS[1], unpack(moved))
redis.call('ZADD', KEYS[3], unpack(claims))
if KEYS[4] then
  redis.call('SET', KEYS[4], cmsgpack.pack(ids), 'PX', 600000)
  redis.call('DEL', KEYS[5])
end
return kept
