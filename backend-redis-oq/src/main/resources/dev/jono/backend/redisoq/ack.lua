-- KEYS index, hash, claims; ARGV bytes of texts behind which it ends, then per lease: fence, its end as the claim told it, how
-- many reservations, their ids. Answers the time, and the outcomes as far as it came.
local now = clock()
local outcomes, bytes, limit, at = {}, 0, tonumber(ARGV[1]), 2
while ARGV[at] and bytes <= limit do
  local fence, told, count = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2])
  -- Of many of one lease the index tells at once which are there, and dearer for each where its lease ends.
  local there = {}
  if count > 1 and lease(KEYS[3], told) == fence and call('ZCOUNT', KEYS[1], told, told) <= 2 * count then
    for _, id in ipairs(call('ZRANGEBYSCORE', KEYS[1], told, told)) do there[id] = told end
  end
  local done, m, ended = {}, 0, {}
  for i = at + 3, at + 2 + count do
    if bytes > limit then break end
    local id = ARGV[i]
    local outcome, size, ends = 'D', 0, there[id]
    if not ends then
      outcome, size, ends = held(KEYS[1], KEYS[2], KEYS[3], id, fence)
      bytes = bytes + size
    end
    outcomes[#outcomes + 1] = outcome
    if outcome == 'D' then
      m = m + 1
      done[m] = id
      ended[ends] = true
    end
  end
  if m > 0 then
    call('ZREM', KEYS[1], unpack(done))
    call('HDEL', KEYS[2], unpack(done))
    for ends in pairs(ended) do forget(KEYS[1], KEYS[3], ends) end
  end
  at = at + 3 + count
end
return {now, table.concat(outcomes)}
