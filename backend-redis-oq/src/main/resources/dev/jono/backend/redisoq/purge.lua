-- KEYS of the queue; ARGV rank to begin at, how many to look at, most bytes to read.
-- Answers how many were removed, how many are held, and whether the end was reached.
local now = clock()
local from, most, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local ids = call('ZRANGE', KEYS[1], from, from + most - 1, 'WITHSCORES')
local gone, over, kept, bytes, ended = {}, {}, 0, 0, #ids < 2 * most
for i = 1, #ids, 2 do
  local id, score = ids[i], ids[i + 1]
  local due = tonumber(score) <= now
  local text = not due and not lease(KEYS[3], score) and call('HGET', KEYS[2], id)
  if text then bytes = bytes + #text end
  if not due and (lease(KEYS[3], score) or (text and select(3, rare().parse(text)))) then
    kept = kept + 1
  else
    gone[#gone + 1] = id
    if due then over[score] = true end
  end
  if bytes > limit and i + 1 < #ids then
    ended = false
    break
  end
end
if #gone > 0 then
  call('ZREM', KEYS[1], unpack(gone))
  call('HDEL', KEYS[2], unpack(gone))
  for score in pairs(over) do forget(KEYS[1], KEYS[3], score) end
  if keys then
    keys.left(gone)
    keys.close()
  end
end
return {#gone, kept, ended and 1 or 0}
