-- KEYS index, hash; ARGV per reservation: id, fence. Answers the time, the outcomes, and the texts of what is held.
local now = clock()
local outcomes, texts = {}, {}
for i = 1, #ARGV, 2 do
  local outcome = held(KEYS[1], KEYS[2], ARGV[i], ARGV[i + 1])
  outcomes[#outcomes + 1] = outcome
  texts[#texts + 1] = outcome == 'D' and call('HGET', KEYS[2], ARGV[i]) or ''
end
return {now, table.concat(outcomes), texts}
