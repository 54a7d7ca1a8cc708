-- KEYS of the queue; ARGV bytes of texts behind which it ends, ids. Answers the time, for how many of the ids it looked,
-- then per message that is there: id, score, place, 1 if it is leased, 2 if it is blocked, text.
local now = clock()
local score15, place = rare().score15, rare().place
local answer, bytes, limit = {now, #ARGV - 1}, 0, tonumber(ARGV[1])
for i = 2, #ARGV do
  local id = ARGV[i]
  local score, text = call('ZSCORE', KEYS[1], id), call('HGET', KEYS[2], id)
  local blocked = keys and text and not score and keys.due(id)
  if blocked then score = blocked end
  if text and score then
    local n = #answer
    answer[n + 1], answer[n + 2], answer[n + 3] = id, score15(score), place(score)
    answer[n + 4], answer[n + 5] = blocked and 2 or lease(KEYS[3], score) and 1 or 0, text
    bytes = bytes + #text
    if bytes > limit then
      answer[2] = i - 1
      break
    end
  end
end
return answer
