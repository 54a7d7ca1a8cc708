-- KEYS of the queue, of the target (see target.lua), call[, forgotten call]; ARGV how long to remember, 1 if messages keep
-- their tries and due times, then per message: id, flag, ordering key or '', fields with the id. Answers the time, and per id D
-- (done), H (held) or A (absent).
local now, time = clock()
local seen = call('GET', KEYS[T + 1])
if seen then
  call('PEXPIRE', KEYS[T + 1], ARGV[1]) -- a write, so that waiting for replicas waits for this call
  return {now, seen}
end
local stamp, outcomes = stamped(time), {}
local target, at_once, keeps = open_target(now, stamp), '00' .. sub(stamp, 1, 13), ARGV[2] == '1'

-- Jono's fields of an idle message, without a reservation; and its due time.
local function kept(id, text, score)
  local _, tries, reserved, missed, before = rare().parse(text)
  local due = score and rare().score15(score) or keys and keys.due(id) or at_once
  if reserved or (score and lease(KEYS[3], score)) then
    missed, due = missed + 1, before or due -- its last delivery has ended by the end of its lease
  end
  return rare().tail(tries, false, due, missed, '-', '-------------'), due
end

if KEYS[T + 2] then call('DEL', KEYS[T + 2]) end
for i = 3, #ARGV, 4 do
  local id = ARGV[i]
  local text, score, outcome = call('HGET', KEYS[2], id), call('ZSCORE', KEYS[1], id), 'A'
  if text and is_held(KEYS[3], score, text, now) then
    outcome = 'H'
  elseif text and ARGV[i + 3] ~= '' then
    outcome = 'D'
    local tail, due = nil, at_once
    if keeps then tail, due = kept(id, text, score) end
    call('HDEL', KEYS[2], id)
    if score then
      call('ZREM', KEYS[1], id)
      forget(KEYS[1], KEYS[3], score)
      if keys then keys.left({id}) end
    elseif keys then
      keys.left_blocked(id)
    end
    target.add(id, ARGV[i + 2], due, ARGV[i + 1], ARGV[i + 3], tail)
  end
  outcomes[#outcomes + 1] = outcome
end
if keys then keys.close() end
target.close()
local answer = table.concat(outcomes)
call('SET', KEYS[T + 1], answer, 'PX', ARGV[1])
return {now, answer}
