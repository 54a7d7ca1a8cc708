-- ARGV 1 to remove only records whose retention has ended or 0, bytes of records after which it stops, jobs. KEYS has the log of
-- each job. Answers for each job that it came to 1 (removed) or 0.
local now = stamp(clock())
local expired, limit = ARGV[1] == '1', tonumber(ARGV[2])
local outcomes, bytes = {}, 0
for i = 3, #ARGV do
  if bytes > limit then break end
  local id = ARGV[i]
  local text = call('HGET', KEYS[RECORDS], id)
  local record = text and parse(text)
  if record and expired and (record.till == '-' or record.till > now) then record = false end
  if record then
    call('HDEL', KEYS[RECORDS], id)
    unlist(id, record)
    if record.till ~= '-' then call('ZREM', KEYS[ENDS], id) end
    if record.log ~= '-' then call('UNLINK', KEYS[LOGS + i - 3]) end
  end
  bytes = bytes + (text and #text or 0)
  outcomes[#outcomes + 1] = record and 1 or 0
end
return {table.concat(outcomes)}
