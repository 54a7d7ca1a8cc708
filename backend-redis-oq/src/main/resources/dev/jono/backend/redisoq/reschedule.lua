-- KEYS of the queue, call[, forgotten call]; ARGV how long to remember, due, then ids. Answers the time, and per id D (done),
-- H (held) or A (absent).
local now, time = clock()
local seen = call('GET', KEYS[K + 1])
if seen then return {now, seen} end
if KEYS[K + 2] then call('DEL', KEYS[K + 2]) end
local outcomes, parse, tail = {}, rare().parse, rare().tail
local due = resolve(ARGV[2], now, stamped(time))
for i = 3, #ARGV do
  local id = ARGV[i]
  local text, score, outcome = call('HGET', KEYS[2], id), call('ZSCORE', KEYS[1], id), 'A'
  if text and is_held(KEYS[3], score, text, now) then
    outcome = 'H'
  elseif text then
    outcome = 'D'
    local head, tries, reserved, missed = parse(text)
    -- Its last delivery has ended by the end of its lease. The text of a large message does not tell that it is reserved.
    if reserved or (score and lease(KEYS[3], score)) then missed = missed + 1 end
    call('HSET', KEYS[2], id, head .. tail(tries, false, due, missed, '-', '-------------'))
    if score then
      call('ZADD', KEYS[1], due, id)
      forget(KEYS[1], KEYS[3], score)
      if keys then keys.released(id, due) end
    elseif keys then
      keys.set_due(id, due)
    end
  end
  outcomes[#outcomes + 1] = outcome
end
if keys then keys.close() end
local answer = table.concat(outcomes)
call('SET', KEYS[K + 1], answer, 'PX', ARGV[1])
return {now, answer}
