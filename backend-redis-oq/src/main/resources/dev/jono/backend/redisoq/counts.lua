-- KEYS of the queue; ARGV '', or where an earlier call ended; of how many leases to count; bytes of texts behind which it
-- ends. Answers the time, all but blocked ones, ready, reserved as far as it came, where it ended ('' if that was all), how long
-- until something that no consumer holds is due (-1 for never), the due time of what is ready longest (0 for nothing), and how
-- many are blocked behind earlier messages of their ordering keys.
local now = clock()
local from, most, limit = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local all = call('ZCARD', KEYS[1])
local ready = call('ZCOUNT', KEYS[1], '-inf', now)
local leased = call('ZRANGEBYSCORE', KEYS[3], from == '' and '(' .. now or from, '+inf', 'WITHSCORES', 'LIMIT', 0, most)
local reserved, blocked = 0, keys and call('HLEN', KEYS[2]) - all or 0
for i = 2, #leased, 2 do reserved = reserved + call('ZCOUNT', KEYS[1], leased[i], leased[i]) end
local rest = #leased == 2 * most and '(' .. leased[#leased] or ''
if from ~= '' then return {now, all, ready, reserved, rest, -1, 0, blocked} end

local next, oldest = -1, 0
if ready > 0 then
  next = 0
  oldest = tonumber(rare().score15(call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]))
  -- What is leased no more, and not swept yet, was due before.
  local left, bytes = 100, 0
  local ended = call('ZRANGEBYSCORE', KEYS[3], '-inf', now, 'WITHSCORES', 'LIMIT', 0, left)
  for i = 2, #ended, 2 do
    local ids = left > 0 and call('ZRANGEBYSCORE', KEYS[1], ended[i], ended[i], 'LIMIT', 0, left) or {}
    left = left - #ids
    for _, id in ipairs(ids) do
      local text = bytes <= limit and call('HGET', KEYS[2], id)
      if text then
        bytes = bytes + #text
        local _, _, _, _, due = rare().parse(text)
        if due then oldest = math.min(oldest, tonumber(due)) end
      end
    end
  end
elseif all - ready > reserved then
  -- Behind some hundreds that are held, the end of the first lease is told instead.
  local at, step = 0, 100
  repeat
    local due = call('ZRANGEBYSCORE', KEYS[1], '(' .. now, '+inf', 'WITHSCORES', 'LIMIT', at, step)
    for i = 2, #due, 2 do
      if not lease(KEYS[3], due[i]) then
        next = math.max(0, math.ceil(due[i] - now))
        break
      end
    end
    at = at + step
  until next >= 0 or #due == 0 or at >= 300
  if next < 0 then next = wait(KEYS[1], now) end
end
return {now, all, ready, reserved, rest, next, oldest, blocked}
