-- KEYS of the queue; ARGV bytes of texts behind which it ends, then per reservation: id, fence. Answers the time, the
-- outcomes as far as it came, and the texts of what is held.
local now = clock()
local outcomes, texts, bytes, limit = {}, {}, 0, tonumber(ARGV[1])
for i = 2, #ARGV, 2 do
  if bytes > limit then break end
  local outcome, size = held(KEYS[1], KEYS[2], KEYS[3], ARGV[i], ARGV[i + 1])
  local text = outcome == 'D' and call('HGET', KEYS[2], ARGV[i]) or ''
  outcomes[#outcomes + 1], texts[#texts + 1] = outcome, text
  bytes = bytes + math.max(size, #text)
end
return {now, table.concat(outcomes), texts}
