-- KEYS of the queue, of the target (see target.lua), call[, forgotten call]; ARGV how long to remember, channel of the target or
-- '', then per reservation: id, fence, flag and due, ordering key or '', fields with the id. Answers the time, the outcomes, of a
-- queue with ordering keys when the first is due that was blocked, and why a signal was refused, if it was.
local now, time = clock()
local seen = call('GET', KEYS[T + 1])
if seen then
  call('PEXPIRE', KEYS[T + 1], ARGV[1]) -- a write, so that waiting for replicas waits for this call
  return {now, seen, ''}
end
-- Fails where one of them is something else, before anything is removed.
call('ZCARD', KEYS[3])
local target = open_target(now, stamped(time))
if KEYS[T + 2] then call('DEL', KEYS[T + 2]) end
local outcomes, ended, earliest, stamp = {}, {}, nil, stamped(time)
for i = 3, #ARGV, 5 do
  local id = ARGV[i]
  local outcome, _, ends = held(KEYS[1], KEYS[2], KEYS[3], id, ARGV[i + 1])
  if outcome == 'D' then
    call('ZREM', KEYS[1], id)
    call('HDEL', KEYS[2], id)
    ended[ends] = true
    if keys then keys.left({id}) end
    local due = resolve(sub(ARGV[i + 2], 2), now, stamp)
    if target.add(id, ARGV[i + 3], due, sub(ARGV[i + 2], 1, 1), ARGV[i + 4]) and (not earliest or due < earliest) then
      earliest = due
    end
  end
  outcomes[#outcomes + 1] = outcome
end
for ends in pairs(ended) do forget(KEYS[1], KEYS[3], ends) end
target.close()
local answer = table.concat(outcomes)
call('SET', KEYS[T + 1], answer, 'PX', ARGV[1])
return publish(ARGV[2], earliest, {now, answer, keys and keys.close() or ''})
