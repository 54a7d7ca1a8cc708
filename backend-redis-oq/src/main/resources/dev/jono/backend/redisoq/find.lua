-- KEYS index, hash; ARGV ids. Answers the time, then per message that is there: id, score, text.
local now = clock()
local texts = call('HMGET', KEYS[2], unpack(ARGV))
local scores = call('ZMSCORE', KEYS[1], unpack(ARGV))
local answer = {now}
for i, id in ipairs(ARGV) do
  if texts[i] and scores[i] then
    local n = #answer
    answer[n + 1], answer[n + 2], answer[n + 3] = id, score15(scores[i]), texts[i]
  end
end
return answer
