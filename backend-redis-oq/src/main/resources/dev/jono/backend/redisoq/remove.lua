-- KEYS index, hash, claims, call[, forgotten call]; ARGV how long to remember, then ids.
-- Answers the time and per id R (removed), H (held) or A (absent).
local now = clock()
local seen = call('GET', KEYS[4])
if seen then return {now, seen} end
call('ZCARD', KEYS[3]) -- fails where it is something else, before anything is removed
if KEYS[5] then call('DEL', KEYS[5]) end
local outcomes = {}
for i = 2, #ARGV do
  local id = ARGV[i]
  local text = call('HGET', KEYS[2], id)
  local outcome = 'A'
  if text then
    local score = call('ZSCORE', KEYS[1], id)
    if score and tonumber(score) > now and (lease(KEYS[3], score) or select(3, rare().parse(text))) then
      outcome = 'H'
    else
      outcome = 'R'
      call('ZREM', KEYS[1], id)
      call('HDEL', KEYS[2], id)
      if score then forget(KEYS[1], KEYS[3], score) end
    end
  end
  outcomes[#outcomes + 1] = outcome
end
local answer = table.concat(outcomes)
call('SET', KEYS[4], answer, 'PX', ARGV[1])
return {now, answer}
