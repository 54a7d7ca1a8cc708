-- KEYS index, claims. Answers the time, ready, scheduled, reserved, how long until something that nobody holds is due
-- (-1 for never), and the due time of what is ready longest (0 for nothing).
local now = clock()
local all = call('ZCARD', KEYS[1])
local ready = call('ZCOUNT', KEYS[1], '-inf', now)
-- What keuss has settled in spite of Jono's lease stays in the second set until that ends.
local reserved = math.min(call('ZCOUNT', KEYS[2], '(' .. now, '+inf'), all - ready)
local scheduled = math.max(0, all - ready - reserved)
local next, oldest = -1, 0
if ready > 0 then
  next = 0
  oldest = tonumber(score15(call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]))
  for _, claim in ipairs(call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, 100)) do
    oldest = math.min(oldest, tonumber(sub(claim, 1, 15)))
  end
elseif scheduled > 0 then
  -- The held ones have the same scores in both sets: the first that is in the index alone is nobody's. Behind some
  -- hundreds that are held, the end of the first lease is told instead.
  local from, step = 0, 100
  repeat
    local due = call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf', 'WITHSCORES', 'LIMIT', from, step)
    local leased = {}
    for _, claim in ipairs(call('ZRANGEBYSCORE', KEYS[2], '(' .. now, due[#due] or now, 'LIMIT', 0, 500)) do
      leased[claimed_id(claim)] = true
    end
    for i = 1, #due, 2 do
      if not leased[due[i]] then
        next = math.max(0, math.ceil(due[i + 1] - now))
        break
      end
    end
    from = from + step
  until next >= 0 or #due == 0 or from >= 300
  if next < 0 then next = wait(KEYS[1], now) end
end
return {now, ready, scheduled, reserved, next, oldest}
