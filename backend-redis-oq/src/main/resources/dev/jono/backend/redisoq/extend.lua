-- KEYS index, hash, claims; ARGV lease, bytes of texts behind which it ends, then per reservation: id, fence. Answers the
-- time, and the outcomes as far as it came.
local now = clock()
local ends = scored(now + ARGV[1])
local outcomes, bytes, limit = {}, 0, tonumber(ARGV[2])
call('ZREM', KEYS[3], '') -- as in claim
for i = 3, #ARGV, 2 do
  if bytes > limit then break end
  local id = ARGV[i]
  local outcome, head, tries, missed, due, expired, size = held(KEYS[1], KEYS[2], id, ARGV[i + 1])
  bytes = bytes + size
  if outcome == 'D' then
    call('HSET', KEYS[2], id, head .. tail(tries, true, due, ends, missed, expired, ARGV[i + 1]))
    call('ZADD', KEYS[1], 'XX', ends, id)
    call('ZADD', KEYS[3], ends, claimed(due, id, ARGV[i + 1]))
  end
  outcomes[#outcomes + 1] = outcome
end
return {now, table.concat(outcomes)}
