-- KEYS index, hash, claims, call, call before (of the first of several: its own)[, forgotten call]; ARGV how many, most bytes,
-- how long to remember, lease, fence, tries to isolate, tries to isolate what expired, 1 if the call is repeated: then it is
-- remembered, too, that there was nothing, for what was sent before may arrive only now.
-- A claim of many is several calls, one behind the other; the first decides whether a message is claimed alone, for those
-- behind it would not leave it so. What is remembered begins with 1 if it is, with 2 if there was nothing. Behind a call that
-- is not done, or found nothing, or one alone, there is nothing to claim.
-- Answers the time, how long until more, whether the one message is isolated, then per message: id, text.
local now = clock()
local fence = ARGV[5]
local seen = call('GET', KEYS[4])
if seen and byte(seen) == 50 then return {now, wait(KEYS[1], now), 0} end
if seen then
  -- What of the first claim is still held.
  local answer = cmsgpack.unpack(sub(seen, 2))
  local again = {now, answer[1], answer[2]}
  for i = 3, #answer do
    local outcome, _, _, _, _, _, _, text = held(KEYS[1], KEYS[2], answer[i], fence)
    if outcome == 'D' then
      again[#again + 1] = answer[i]
      again[#again + 1] = text
    end
  end
  return again
end
local function nothing()
  if ARGV[8] == '1' then
    call('ZREM', KEYS[1], '') -- as in sweep
    call('SET', KEYS[4], '2', 'PX', ARGV[3])
  end
  return {now, wait(KEYS[1], now), 0}
end
if KEYS[6] then call('DEL', KEYS[6]) end
local follows = KEYS[5] ~= KEYS[4]
if follows and call('GETRANGE', KEYS[5], 0, 0) ~= '0' then return nothing() end
local most, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
sweep(KEYS[1], KEYS[2], KEYS[3], now, most, limit)
local ids = call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, most)
if #ids == 0 then return nothing() end

local texts = read(KEYS[2], ids, limit)
local isolate, isolate_expired = tonumber(ARGV[6]), tonumber(ARGV[7])
local ends = scored(now + ARGV[4])
local answer, kept, moved, claims, n, empty, bytes, isolated = {now, 0, 0}, {}, {}, {}, 0, {}, 0, 0
local first = ' ' .. ends .. ' 000000 - ' .. fence .. '"}' -- how a first delivery ends
for i = 1, #texts do
  local id, text, alone = ids[i], texts[i], false
  if not text then
    empty[#empty + 1] = id
  else
    local due = untried(text)
    if due and isolate > 0 then
      due = '00' .. due
      text = sub(text, 1, -2) .. ',"tries":     0,"reserved":true ,"jono":"' .. due .. first
    else
      local head, tries, expired, missed, place, score = parse(text)
      if expired then missed = missed + 1 end
      local all = tries + missed
      alone = all >= isolate or (expired and all >= isolate_expired)
      if alone and (n > 0 or follows) then break end
      due = at(KEYS[1], id)
      if score == due then due = place end -- its lease has ended, and it was not swept
      text = head .. tail(tries, true, due, ends, missed, expired and 'e' or '-', fence)
    end
    kept[n + 1], kept[n + 2] = id, text
    moved[n + 1], moved[n + 2] = ends, id
    claims[n + 1], claims[n + 2] = ends, claimed(due, id, fence)
    answer[n + 4], answer[n + 5] = id, text
    n = n + 2
    bytes = bytes + #text
    if alone then isolated = 1 break end
    if bytes > limit then break end
  end
end
-- Begun with a removal, be it of the forgotten call, the script may go on where the memory is full: consuming is what frees it.
if #empty > 0 or not KEYS[6] then call('ZREM', KEYS[1], '', unpack(empty)) end
local remembered = {0, isolated}
if n > 0 then
  call('HSET', KEYS[2], unpack(kept))
  call('ZADD', KEYS[1], 'XX', unpack(moved))
  call('ZADD', KEYS[3], unpack(claims))
  for i = 1, n, 2 do remembered[#remembered + 1] = kept[i] end
end
if n < 2 * most then
  answer[2] = wait(KEYS[1], now)
  remembered[1] = answer[2]
end
answer[3] = isolated
if n == 0 then return nothing() end
call('SET', KEYS[4], isolated .. cmsgpack.pack(remembered), 'PX', ARGV[3])
return answer
