-- KEYS of the queue; ARGV lease, bytes of texts behind which it ends, then per reservation: id, fence. Answers the
-- time, and the outcomes as far as it came.
local now, time = clock()
local outcomes, longer, ended, bytes, limit = {}, {}, {}, 0, tonumber(ARGV[2])
call('ZREM', KEYS[3], '') -- as in sweep
for i = 3, #ARGV, 2 do
  if bytes > limit then break end
  local id, fence = ARGV[i], ARGV[i + 1]
  local outcome, size, ends = held(KEYS[1], KEYS[2], KEYS[3], id, fence)
  bytes = bytes + size
  if outcome == 'D' then
    local its = longer[fence] or {}
    longer[fence], its[#its + 1] = its, id
    ended[ends] = true
  end
  outcomes[#outcomes + 1] = outcome
end
for fence, ids in pairs(longer) do
  local ends = lend(KEYS[3], now, time, ARGV[1], fence, #ids)
  local moved = {}
  for i, id in ipairs(ids) do moved[2 * i - 1], moved[2 * i] = ends, id end
  call('ZADD', KEYS[1], 'XX', unpack(moved))
end
for ends in pairs(ended) do forget(KEYS[1], KEYS[3], ends) end
return {now, table.concat(outcomes)}
