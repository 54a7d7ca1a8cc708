-- KEYS index, hash, claims, target index, target hash, call[, forgotten call]; ARGV how long to remember, channel of the
-- target or '', then per reservation: id, fence, flag and due, fields with the id. Answers the time, the outcomes, and why a
-- signal was refused, if it was.
local ENDS = {
  p = '}', b = ',"type":"buffer"}', j = ',"kind":"json"}',
  J = ',"type":"buffer","kind":"json"}', S = ',"type":"buffer","kind":"string"}'
}
local now, time = clock()
local seen = call('GET', KEYS[6])
if seen then
  call('PEXPIRE', KEYS[6], ARGV[1]) -- a write, so that waiting for replicas waits for this call
  return {now, seen}
end
-- Fails where one of them is something else, before anything is removed.
call('ZCARD', KEYS[3])
call('ZCARD', KEYS[4])
call('HEXISTS', KEYS[5], '')
if KEYS[7] then call('DEL', KEYS[7]) end
local outcomes, ended, earliest, stamp = {}, {}, nil, stamped(time)
for i = 3, #ARGV, 4 do
  local id = ARGV[i]
  local outcome, _, ends = held(KEYS[1], KEYS[2], KEYS[3], id, ARGV[i + 1])
  if outcome == 'D' then
    call('ZREM', KEYS[1], id)
    call('HDEL', KEYS[2], id)
    ended[ends] = true
    if call('HEXISTS', KEYS[5], id) == 0 then
      local due = resolve(sub(ARGV[i + 2], 2), now, stamp)
      call('HSET', KEYS[5], id, '{' .. ARGV[i + 3] .. ',"mature":' .. plain(due) .. ENDS[sub(ARGV[i + 2], 1, 1)])
      call('ZADD', KEYS[4], due, id)
      if not earliest or due < earliest then earliest = due end
    end
  end
  outcomes[#outcomes + 1] = outcome
end
for ends in pairs(ended) do forget(KEYS[1], KEYS[3], ends) end
local answer = table.concat(outcomes)
call('SET', KEYS[6], answer, 'PX', ARGV[1])
return publish(ARGV[2], earliest, {now, answer})
