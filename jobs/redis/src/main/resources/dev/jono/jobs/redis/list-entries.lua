-- KEYS as for change-entries; ARGV the name behind which the list begins or '', how many entries at most, bytes after which it
-- stops. Answers the time in milliseconds, the last name if there may be more or '', then names, each followed by its entry.
local call = redis.call
local time = call('TIME')
local names = call('ZRANGEBYLEX', KEYS[2], ARGV[1] == '' and '-' or '(' .. ARGV[1], '+', 'LIMIT', 0, ARGV[2])
local answer, bytes = {time[1] * 1000 + math.floor(time[2] / 1000), #names == tonumber(ARGV[2]) and names[#names] or ''}, 0
for i, name in ipairs(names) do
  local text = call('HGET', KEYS[1], name)
  if text then
    answer[#answer + 1] = name
    answer[#answer + 1] = text
    bytes = bytes + #text
    if bytes > tonumber(ARGV[3]) and i < #names then
      answer[2] = name
      break
    end
  else
    call('ZREM', KEYS[2], name) -- the entry was deleted by hand
  end
end
return answer
