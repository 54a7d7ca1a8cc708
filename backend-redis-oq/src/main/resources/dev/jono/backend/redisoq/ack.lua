-- Acks reservations. KEYS are those of the queue. ARGV: the number of bytes of texts after which the script ends; then per lease
-- its fence, its end as the claim returned it, the number of reservations, and their ids. If all reservations of a lease are
-- acked, the number is negative, and the ids are left out. Answers: the time; the outcomes up to the first lease that the script
-- did not process, because of the bytes or because the lease has another number of reservations, so that the ids are needed; for
-- a queue with ordering keys, when the first message that became unblocked is due.
local now = clock()
local outcomes, bytes, limit, at = {}, 0, tonumber(ARGV[1]), 2
while ARGV[at] and bytes <= limit do
  local fence, told, count = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2])
  if count < 0 then
    local all = lease(KEYS[3], told) == fence and call('ZRANGEBYSCORE', KEYS[1], told, told) or {}
    if #all ~= -count then break end
    call('ZREMRANGEBYSCORE', KEYS[1], told, told)
    call('HDEL', KEYS[2], unpack(all))
    if keys then keys.left(all) end
    forget(KEYS[1], KEYS[3], told, 0)
    outcomes[#outcomes + 1] = string.rep('D', #all)
    at = at + 3
  else
    -- Of many of one lease the index tells at once which are there, and dearer for each where its lease ends.
    local there, left = {}, count > 1 and lease(KEYS[3], told) == fence and call('ZCOUNT', KEYS[1], told, told)
    if left and left <= 2 * count then
      for _, id in ipairs(call('ZRANGEBYSCORE', KEYS[1], told, told)) do there[id] = true end
    end
    local done, m, near, elsewhere = {}, 0, false, {}
    for i = at + 3, at + 2 + count do
      if bytes > limit then break end
      local id, outcome = ARGV[i], 'D'
      if there[id] then
        near = true
      else
        local size, ends
        outcome, size, ends = held(KEYS[1], KEYS[2], KEYS[3], id, fence)
        bytes = bytes + size
        if ends then elsewhere[ends] = true end
      end
      outcomes[#outcomes + 1] = outcome
      if outcome == 'D' then
        m = m + 1
        done[m] = id
      end
    end
    if m > 0 then
      local gone = call('ZREM', KEYS[1], unpack(done))
      call('HDEL', KEYS[2], unpack(done))
      if keys then keys.left(done) end
      for ends in pairs(elsewhere) do forget(KEYS[1], KEYS[3], ends) end
      if near then forget(KEYS[1], KEYS[3], told, not next(elsewhere) and left - gone) end
    end
    at = at + 3 + count
  end
end
return {now, table.concat(outcomes), keys and keys.close()}
