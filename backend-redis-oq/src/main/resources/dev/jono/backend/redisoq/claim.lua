-- KEYS of the queue, call, call before (of the first of several: its own)[, forgotten call]; ARGV how many, most bytes,
-- how long to remember, lease, fence, tries to isolate, tries to isolate what expired, 1 if the call is repeated: then it is
-- remembered, too, that there was nothing, for what was sent before may arrive only now; and how many bytes a text may have
-- that is marked for keuss: it is stored anew with the mark; and how many messages of one ordering key it may bring.
-- A claim of many is several calls, one behind the other; the first decides whether a message is claimed alone, for those
-- behind it would not leave it so. What is remembered begins with 1 if it is, with 2 if there was nothing; behind that stands
-- the end of the lease. Behind a call that is not done, or found nothing, or one alone, there is nothing to claim.
-- Answers the time, how long until more, whether the one message is isolated, the end of the lease, then per message its
-- text, where that begins with the id. Of any other: an empty text, id, text.
local now, time = clock()
local fence = ARGV[5]
local answer, n, count, bytes = {now, 0, 0, ''}, 4, 0, 0
local function bring(id, text)
  if find(text, id, 9, true) == 9 and byte(text, 9 + #id) == 34 then
    n = n + 1
  else
    answer[n + 1], answer[n + 2] = '', id
    n = n + 3
  end
  answer[n] = text
  count = count + 1
  bytes = bytes + #text
end
local seen = call('GET', KEYS[K + 1])
if seen then
  -- What of the first claim is still held.
  local ends = sub(seen, 2)
  answer[2], answer[3], answer[4] = wait(KEYS[1], now), byte(seen) == 49 and 1 or 0, ends
  if ends ~= '' and lease(KEYS[3], ends) == fence then
    local ids = call('ZRANGEBYSCORE', KEYS[1], ends, ends)
    if keys then keys.sort(ids) end
    for _, id in ipairs(ids) do
      local text = call('HGET', KEYS[2], id)
      if text then bring(id, text) end
    end
  end
  return answer
end
local function nothing()
  if keys then keys.close() end
  if ARGV[8] == '1' then
    call('ZREM', KEYS[1], '') -- as in sweep
    call('SET', KEYS[K + 1], '2', 'PX', ARGV[3])
  end
  return {now, wait(KEYS[1], now), 0, ''}
end
if KEYS[K + 3] then call('DEL', KEYS[K + 3]) end
local follows = KEYS[K + 2] ~= KEYS[K + 1]
if follows and call('GETRANGE', KEYS[K + 2], 0, 0) ~= '0' then return nothing() end
local most, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
local bound = sweep(KEYS[1], KEYS[2], KEYS[3], now, most, limit)
local ids = call('ZRANGEBYSCORE', KEYS[1], '-inf', bound, 'LIMIT', 0, most)
if keys then ids = keys.candidates(ids, tonumber(ARGV[10]), most, bound) end
if #ids == 0 then return nothing() end

-- Without its last brace, and with the mark. Cutting and joining would make a text more. Most messages of a queue are of
-- few lengths, each of which has a format.
local formats = {}
local function with_mark(text)
  local length = #text - 1
  local packing = formats[length]
  if not packing then
    packing = 'c' .. length .. 'c' .. #MARK
    formats[length] = packing
  end
  return struct.pack(packing, text, MARK)
end

local isolate, marked = tonumber(ARGV[6]), tonumber(ARGV[9])
local kept, moved, k, m, empty, isolated, done, over = {}, {}, 0, 0, {}, 0, 0, false
while done < #ids and not over do
  local texts = more(KEYS[2], ids, done, bytes, limit)
  for i = 1, #texts do
    done = done + 1
    local id, text = ids[done], texts[i]
    if not text then
      empty[#empty + 1] = id
    else
      local alone = false
      if isolate > 0 and (fresh(text) or rare().untouched(text)) then
        if #text <= marked then
          kept[k + 1], kept[k + 2] = id, with_mark(text)
          k = k + 2
        end
      else
        local head, tries, expired, missed = rare().parse(text)
        if expired then missed = missed + 1 end
        local all = tries + missed
        alone = all >= isolate or (expired and all >= tonumber(ARGV[7]))
        over = alone and (count > 0 or follows)
        if over then break end
        local score = call('ZSCORE', KEYS[1], id)
        local due = score and rare().score15(score) or keys.due(id) -- one that follows another of its key is not in the index yet
        text = head .. rare().tail(tries, true, due, missed, expired and 'e' or '-', fence)
        kept[k + 1], kept[k + 2] = id, text
        k = k + 2
      end
      moved[m + 2] = id
      m = m + 2
      bring(id, text)
      if alone then isolated = 1 end
      over = alone or bytes > limit
      if over then break end
    end
  end
end
-- Begun with a removal, be it of the forgotten call, the script may go on where the memory is full: consuming is what frees it.
if #empty > 0 or not KEYS[K + 3] then call('ZREM', KEYS[1], '', unpack(empty)) end
if keys then keys.left(empty) end
if count == 0 then return nothing() end
if keys then keys.claimed(moved, m) end
local ends = lend(KEYS[3], now, time, ARGV[4], fence, count)
for i = 1, m, 2 do moved[i] = ends end
call('ZADD', KEYS[1], 'XX', unpack(moved))
if k > 0 then call('HSET', KEYS[2], unpack(kept)) end
if keys then keys.close() end
if count < most then answer[2] = wait(KEYS[1], now) end
answer[3], answer[4] = isolated, ends
call('SET', KEYS[K + 1], isolated .. ends, 'PX', ARGV[3])
return answer
