-- What those scripts share that find messages.

-- Milliseconds until the first of an index can be claimed; -1 if it is empty.
local function wait(index, now)
  local first = call('ZRANGE', index, 0, 0, 'WITHSCORES')
  if #first == 0 then return -1 end
  return math.max(0, math.ceil(first[2] - now))
end

-- Texts of messages, behind so many that were read already, and their bytes: where those are large, only some more at a time.
-- A script that had to read all of them to find out would hold Redis for long.
local function more(hash, ids, done, bytes, limit)
  local few = done == 0 or bytes * 16 > limit
  return call('HMGET', hash, unpack(ids, done + 1, math.min(#ids, done + (few and 8 or math.min(32, 3 * done)))))
end

-- What Jono leased and nobody settled goes back to its place, so that it is found in its old order: so many messages at most.
-- Answers up to which score the index may be taken from then: what ended and was not looked at yet is not to be met there.
local function sweep(index, hash, claims, now, most, limit)
  if call('ZCOUNT', claims, '-inf', now) == 0 then return now end
  local ended = call('ZRANGEBYSCORE', claims, '-inf', now, 'WITHSCORES', 'LIMIT', 0, 101)
  -- Begun with a removal, a script may go on where the memory is full: consuming is what frees it.
  call('ZREM', claims, '')
  local parse, tail, score15, bytes = rare().parse, rare().tail, rare().score15, 0
  for i = 1, #ended, 2 do
    local entry, ends = ended[i], ended[i + 1]
    if most <= 0 or bytes > limit or i > 200 then return '(' .. ends end
    local ids, fence, rest = call('ZRANGEBYSCORE', index, ends, ends, 'LIMIT', 0, most), sub(entry, 1, 13), false
    if #ids == most then rest = call('ZCOUNT', index, ends, ends) > most end
    most = most - #ids
    for j = 1, #ids do
      if bytes > limit then return '(' .. ends end
      local id = ids[j]
      local text = call('HGET', hash, id)
      if text then
        bytes = bytes + #text
        local head, tries, reserved, missed, due, owner = parse(text)
        if not (due and reserved and owner == fence) then
          due = due or score15(ends)
          call('HSET', hash, id, head .. tail(tries, true, due, missed, '-', fence))
        end
        call('ZADD', index, 'XX', due, id)
        if keys then keys.ended(id) end
      else
        call('ZREM', index, id)
      end
    end
    if rest then return '(' .. ends end
    call('ZREM', claims, entry)
  end
  return now
end
