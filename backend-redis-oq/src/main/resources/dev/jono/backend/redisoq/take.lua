-- KEYS of the queue, call, call before (of the first of several: its own)[, forgotten call]; ARGV how many, most bytes, how
-- long to remember, 1 if the call is repeated: then it is remembered, too, that there was nothing, for what was sent before may arrive only now.
-- Answers the time, how long until more, then per message its text, where that begins with the id and nobody has ever
-- reserved it, so that it tells its due time, too, as mature. Of any other: an empty text, id, score, text. What was taken
-- is remembered as a list: to make one text of it would cost a sixth of the script.
local now = clock()
local seen = call('LRANGE', KEYS[K + 1], 0, -1)
if #seen == 1 then return {now, wait(KEYS[1], now)} end
if #seen > 0 then
  table.insert(seen, 1, now)
  return seen
end
local function nothing()
  if keys then keys.close() end
  if ARGV[4] == '1' then
    call('ZREM', KEYS[1], '') -- as in sweep
    call('RPUSH', KEYS[K + 1], '0')
    call('PEXPIRE', KEYS[K + 1], ARGV[3])
  end
  return {now, wait(KEYS[1], now)}
end
if KEYS[K + 3] then call('DEL', KEYS[K + 3]) end
-- Behind a call that is not done, or found nothing, there is nothing to take.
if KEYS[K + 2] ~= KEYS[K + 1] and #call('LRANGE', KEYS[K + 2], 0, 1) < 2 then return nothing() end
local most, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
local bound = sweep(KEYS[1], KEYS[2], KEYS[3], now, most, limit)
local ids = call('ZRANGEBYSCORE', KEYS[1], '-inf', bound, 'LIMIT', 0, most)
if #ids == 0 then return nothing() end
if not KEYS[K + 3] then call('ZREM', KEYS[1], '') end -- as in sweep

local answer, n, found, done, bytes = {now, '0'}, 2, 0, 0, 0
while done < #ids and bytes <= limit do
  local texts = more(KEYS[2], ids, done, bytes, limit)
  for i = 1, #texts do
    local text = texts[i]
    done = done + 1
    if text then
      local id = ids[done]
      if find(text, id, 9, true) == 9 and byte(text, 9 + #id) == 34 and not find(text, 'ved"', 1, true) then
        n = n + 1
      else
        answer[n + 1], answer[n + 2], answer[n + 3] = '', id, rare().score15(call('ZSCORE', KEYS[1], id))
        n = n + 4
      end
      answer[n] = text
      found = found + 1
      bytes = bytes + #text
      if bytes > limit then break end
    end
  end
end
-- An entry without a message goes too: it would block the queue. Remembered before they are removed: if that is refused,
-- they are still there.
local gone = done == #ids and ids or {unpack(ids, 1, done)}
if found > 0 or ARGV[4] == '1' then
  call('RPUSH', KEYS[K + 1], unpack(answer, 2))
  call('PEXPIRE', KEYS[K + 1], ARGV[3])
end
call('ZREM', KEYS[1], unpack(gone))
call('HDEL', KEYS[2], unpack(gone))
if keys then
  keys.left(gone)
  keys.close()
end
if found < most then answer[2] = wait(KEYS[1], now) end
return answer
