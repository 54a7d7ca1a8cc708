-- KEYS index, hash, claims; ARGV per reservation: id, entry in claims. Answers the time and the outcomes.
-- A message need not be read as long as its lease lasts: nobody changes the end in the index, and leaves it in claims.
local now = clock()
local ids, claims, n = {}, {}, 0
for i = 1, #ARGV, 2 do
  n = n + 1
  ids[n], claims[n] = ARGV[i], ARGV[i + 1]
end
local scores = call('ZMSCORE', KEYS[1], unpack(ids))
local leases = call('ZMSCORE', KEYS[3], unpack(claims))
local outcomes, done, ended, m = {}, {}, {}, 0
for i = 1, n do
  local outcome = 'D'
  if not leases[i] or leases[i] ~= scores[i] then
    outcome = held(KEYS[1], KEYS[2], ids[i], sub(claims[i], -13))
  end
  outcomes[i] = outcome
  if outcome == 'D' then
    m = m + 1
    done[m], ended[m] = ids[i], claims[i]
  end
end
if m > 0 then
  call('ZREM', KEYS[1], unpack(done))
  call('HDEL', KEYS[2], unpack(done))
  call('ZREM', KEYS[3], unpack(ended))
end
return {now, table.concat(outcomes)}
