-- ARGV for how long to keep the records, bytes of records after which it stops, jobs. Answers for each job that it came to 1
-- (postponed) or 0 (its retention had not ended).
local now = clock()
local limit, outcomes, bytes = tonumber(ARGV[2]), {}, 0
for i = 3, #ARGV do
  if bytes > limit then break end
  local id = ARGV[i]
  local text = call('HGET', KEYS[RECORDS], id)
  local record = text and parse(text)
  local over = record and record.till ~= '-' and record.till <= stamp(now)
  if over then
    call('ZREM', KEYS[ENDS], id) -- after a removal Redis allows the rest also if its memory is full
    local till = stamp(now + ARGV[1])
    call('HSET', KEYS[RECORDS], id,
      written(record.state, record.attempt, record.changed, till, record.log, record.tags, string.sub(text, record.at)))
    call('ZADD', KEYS[ENDS], till, id)
  end
  bytes = bytes + (text and #text or 0)
  outcomes[#outcomes + 1] = over and 1 or 0
end
return {table.concat(outcomes)}
