-- KEYS of the queue, call[, forgotten call]; ARGV how long to remember, channel or '', bytes of texts behind which it
-- ends, then per reservation: id, fence, due ('' keeps it), 1 to count the delivery. Answers the time, the outcomes as far as
-- it came, and why a signal was refused, if it was.
local NOBODY = '-------------' -- where the fence stands
local now, time = clock()
local seen = call('GET', KEYS[K + 1])
if seen then return {now, seen} end
if KEYS[K + 2] then call('DEL', KEYS[K + 2]) end
call('ZREM', KEYS[3], '') -- as in sweep: a removal first, so that a full memory does not keep the messages held
local stamp, parse, tail = stamped(time), rare().parse, rare().tail
local outcomes, ended, earliest, bytes, limit = {}, {}, nil, 0, tonumber(ARGV[3])
for i = 4, #ARGV, 4 do
  if bytes > limit then break end
  local id = ARGV[i]
  local outcome, size, ends = held(KEYS[1], KEYS[2], KEYS[3], id, ARGV[i + 1])
  local text = outcome == 'D' and call('HGET', KEYS[2], id)
  bytes = bytes + (text and #text or size)
  if text then
    local head, tries, _, missed, due = parse(text)
    due = ARGV[i + 2] == '' and due or resolve(ARGV[i + 2] == '' and 'now' or ARGV[i + 2], now, stamp)
    call('HSET', KEYS[2], id, head .. tail(tries + ARGV[i + 3], false, due, missed, '-', NOBODY))
    call('ZADD', KEYS[1], 'XX', due, id)
    ended[ends] = true
    if keys then keys.released(id, due, ended) end
    if not earliest or due < earliest then earliest = due end
  end
  outcomes[#outcomes + 1] = outcome
end
if keys then
  local promoted = keys.close()
  if promoted and (not earliest or promoted < earliest) then earliest = promoted end
end
for ends in pairs(ended) do forget(KEYS[1], KEYS[3], ends) end
local answer = table.concat(outcomes)
call('SET', KEYS[K + 1], answer, 'PX', ARGV[1])
return publish(ARGV[2], earliest, {now, answer})
