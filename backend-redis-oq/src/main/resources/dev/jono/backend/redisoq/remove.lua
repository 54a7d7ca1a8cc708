-- KEYS of the queue, call[, forgotten call]; ARGV how long to remember, then ids.
-- Answers the time and per id R (removed), H (held) or A (absent).
local now = clock()
local seen = call('GET', KEYS[K + 1])
if seen then return {now, seen} end
call('ZCARD', KEYS[3]) -- fails where it is something else, before anything is removed
if KEYS[K + 2] then call('DEL', KEYS[K + 2]) end
local outcomes, gone = {}, {}
for i = 2, #ARGV do
  local id = ARGV[i]
  local text = call('HGET', KEYS[2], id)
  local outcome = 'A'
  if text then
    local score = call('ZSCORE', KEYS[1], id)
    if is_held(KEYS[3], score, text, now) then
      outcome = 'H'
    else
      outcome = 'R'
      call('ZREM', KEYS[1], id)
      call('HDEL', KEYS[2], id)
      if score then
        forget(KEYS[1], KEYS[3], score)
        gone[#gone + 1] = id
      elseif keys then
        keys.left_blocked(id)
      end
    end
  end
  outcomes[#outcomes + 1] = outcome
end
if keys then
  keys.left(gone)
  keys.close()
end
local answer = table.concat(outcomes)
call('SET', KEYS[K + 1], answer, 'PX', ARGV[1])
return {now, answer}
