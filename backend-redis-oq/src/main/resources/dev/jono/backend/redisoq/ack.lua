-- KEYS index, hash, claims; ARGV per reservation: id, fence. Answers the time and the outcomes.
local now = clock()
local ids = {}
for i = 1, #ARGV, 2 do ids[#ids + 1] = ARGV[i] end
local texts = call('HMGET', KEYS[2], unpack(ids))
local scores = call('ZMSCORE', KEYS[1], unpack(ids))
local outcomes, done, claims = {}, {}, {}
for i, id in ipairs(ids) do
  local outcome = 'G'
  if texts[i] then
    local _, _, reserved, _, due, score, owner = parse(texts[i])
    outcome = 'S'
    if reserved and owner == ARGV[2 * i] and scores[i] and score15(scores[i]) == score then
      outcome = 'D'
      done[#done + 1] = id
      claims[#claims + 1] = due .. id
    end
  end
  outcomes[i] = outcome
end
if #done > 0 then
  call('ZREM', KEYS[1], unpack(done))
  call('HDEL', KEYS[2], unpack(done))
  call('ZREM', KEYS[3], unpack(claims))
end
return {now, table.concat(outcomes)}
