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
    local text = texts[i]
    outcome = 'S'
    -- As parse reads it, and without what is not needed.
    if sub(text, -15, -3) == ARGV[2 * i] and sub(text, -65, -57) == ',"jono":"' and sub(text, -70, -70) == 't'
      and scores[i] and score15(scores[i]) == sub(text, -40, -26) then
      outcome = 'D'
      done[#done + 1] = id
      claims[#claims + 1] = sub(text, -56, -42) .. id
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
