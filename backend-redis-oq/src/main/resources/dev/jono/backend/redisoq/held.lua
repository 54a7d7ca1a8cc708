-- KEYS index, hash; ARGV bytes of texts behind which it ends, then per reservation: id, fence. Answers the time, the
-- outcomes as far as it came, and the texts of what is held.
local now = clock()
local outcomes, texts, bytes, limit = {}, {}, 0, tonumber(ARGV[1])
for i = 2, #ARGV, 2 do
  if bytes > limit then break end
  local outcome, _, _, _, _, _, size, text = held(KEYS[1], KEYS[2], ARGV[i], ARGV[i + 1])
  outcomes[#outcomes + 1], texts[#texts + 1] = outcome, text or ''
  bytes = bytes + size
end
return {now, table.concat(outcomes), texts}
