-- KEYS index, hash, claims; ARGV bytes of texts behind which it ends, then per reservation: id, entry in claims. Answers the
-- time, and the outcomes as far as it came.
-- A message need not be read as long as its lease lasts: nobody changes the end in the index, and leaves it in claims.
local now = clock()
local ids, claims, n, bytes, limit = {}, {}, 0, 0, tonumber(ARGV[1])
for i = 2, #ARGV, 2 do
  n = n + 1
  ids[n], claims[n] = ARGV[i], ARGV[i + 1]
end
local scores = call('ZMSCORE', KEYS[1], unpack(ids))
local leases = call('ZMSCORE', KEYS[3], unpack(claims))
local outcomes, done, ended, m = {}, {}, {}, 0
for i = 1, n do
  if bytes > limit then break end
  local outcome, size, _ = 'D', 0, nil
  if not leases[i] or leases[i] ~= scores[i] then
    outcome, _, _, _, _, _, size = held(KEYS[1], KEYS[2], ids[i], sub(claims[i], -13))
  end
  bytes = bytes + size
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
