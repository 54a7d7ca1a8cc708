-- KEYS index, hash, claims; ARGV per reservation: id, fence. Answers the time and the outcomes.
local now = clock()
local ids, n = {}, 0
for i = 1, #ARGV, 2 do
  n = n + 1
  ids[n] = ARGV[i]
end
local texts = call('HMGET', KEYS[2], unpack(ids))
local scores = call('ZMSCORE', KEYS[1], unpack(ids))
local outcomes, done, claims, m = {}, {}, {}, 0
for i = 1, n do
  local text, score = texts[i], scores[i]
  if not text then
    outcomes[i] = 'G'
  -- As parse reads it, and without what is not needed.
  elseif score and sub(text, -15, -3) == ARGV[2 * i] and byte(text, -70) == 116 and sub(text, -65, -57) == ',"jono":"'
    and sub(text, -40, -26) == score15(score) then
    outcomes[i] = 'D'
    m = m + 1
    done[m] = ids[i]
    claims[m] = sub(text, -56, -42) .. ids[i]
  else
    outcomes[i] = 'S'
  end
end
if m > 0 then
  call('ZREM', KEYS[1], unpack(done))
  call('HDEL', KEYS[2], unpack(done))
  call('ZREM', KEYS[3], unpack(claims))
end
return {now, table.concat(outcomes)}
