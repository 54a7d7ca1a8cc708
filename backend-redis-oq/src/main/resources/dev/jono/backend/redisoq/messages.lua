-- What those scripts share that read messages. One that was never claimed by Jono stands as keuss wrote it. Behind one that
-- was, Jono's fields stand at the very end, always TAIL bytes long, so that they are found and replaced without reading the
-- JSON (of a field that stands twice the last counts, for keuss too):
--   ,"tries":     3,"reserved":true ,"jono":"<due> <score> <missed> <expired> <fence>"}
-- due: due time and so place among its equals; score: what the index held when this was written; missed: deliveries
-- that ended by expiry, which keuss's tries do not count; expired: e if the claim found it so; fence: of the claim.
local TAIL = 97
-- Of each claim the third key, a sorted set, holds an entry by the end of the lease: due time, id and fence, as claimed makes
-- it. A message whose index holds the same end is still held under that fence.

-- What the index holds, in 15 digits.
local function score15(text)
  if #text == 13 and byte(text) ~= 45 and not find(text, '.', 1, true) then return '00' .. text end
  return scored(tonumber(text) or 0)
end

-- Whether a message without Jono's fields says of reservations and tries what only a parser can tell.
local function intricate(text)
  if find(text, '"reserved"', 1, true) then return true end
  local at = find(text, '"tries"', 1, true)
  while at do
    if sub(text, at + 7, at + 9) ~= ':0,' then return true end
    at = find(text, '"tries"', at + 9, true)
  end
  return false
end

-- The due time of a message as push writes it, which nobody has reserved and which has no headers, not even a field
-- that only a parser could tell: of a field that stands twice the last counts. Else nil.
local UNTRIED = ',"tries":0,"hdrs":{},"mature":'
local function untried(text)
  if find(text, 'ved"', 1, true) then return nil end -- perhaps "reserved"
  if sub(text, -44, -15) == UNTRIED then return sub(text, -14, -2) end
  if sub(text, -60, -31) == UNTRIED and sub(text, -17) == ',"type":"buffer"}' then return sub(text, -30, -18) end
end

-- Text without its end, tries, reserved, missed; and of Jono's own due, score, fence, expired.
local function parse(text)
  if sub(text, -65, -57) == ',"jono":"' and sub(text, -97, -89) == ',"tries":' then
    return sub(text, 1, -TAIL - 1), tonumber(sub(text, -88, -83)), sub(text, -70, -70) == 't',
      tonumber(sub(text, -24, -19)), sub(text, -56, -42), sub(text, -40, -26), sub(text, -15, -3), sub(text, -17, -17)
  end
  local head, tries, reserved, missed = text, 0, false, 0
  if sub(text, -1) == '}' then head = sub(text, 1, -2) end
  if intricate(text) then
    -- Written by a keuss process. It is read here, and never written back in this form.
    local ok, message = pcall(cjson.decode, text)
    if ok and type(message) == 'table' then
      tries = tonumber(message.tries) or 0
      reserved = message.reserved == true
      if type(message.jono) == 'string' then missed = tonumber(sub(message.jono, 33, 38)) or 0 end
    end
  end
  return head, tries, reserved, missed
end

local function tail(tries, reserved, due, score, missed, expired, fence)
  return format(',"tries":%6d,"reserved":%s,"jono":"%s %s %06d %s %s"}', math.min(tries, 999999),
    reserved and 'true ' or 'false', due, score, math.min(missed, 999999), expired, fence)
end

-- Where an index holds a message; nil if it does not.
local function at(index, id)
  local score = call('ZSCORE', index, id)
  return score and score15(score)
end

-- The entry of a claim, and the id in one.
local function claimed(due, id, fence) return due .. id .. fence end
local function claimed_id(claim) return sub(claim, 16, -14) end

-- Whether a holder still has a message: D, S (another's, or nobody's) or G; then, of D, what parse tells; then how long its
-- text is; and, of D, the text.
local function held(index, hash, id, fence)
  local text = call('HGET', hash, id)
  if not text then return 'G', nil, nil, nil, nil, nil, 0 end
  local head, tries, reserved, missed, due, score, owner, expired = parse(text)
  if not (reserved and owner == fence and at(index, id) == score) then
    return 'S', nil, nil, nil, nil, nil, #text
  end
  return 'D', head, tries, missed, due, expired, #text, text
end

-- The texts of messages, as far as they fit: where the first are large, only some more at a time are read. A script that
-- had to read all of them to find out would hold Redis for long.
local function read(hash, ids, limit)
  local few = math.min(8, #ids)
  local texts, bytes = call('HMGET', hash, unpack(ids, 1, few)), 0
  for i = 1, few do bytes = bytes + (texts[i] and #texts[i] or 0) end
  local small = bytes * 16 <= limit
  while #texts < #ids and bytes <= limit do
    local from = #texts + 1
    local more = call('HMGET', hash, unpack(ids, from, math.min(#ids, from - 1 + (small and math.min(32, #texts) or 8))))
    for i = 1, #more do
      texts[from + i - 1] = more[i]
      bytes = bytes + (more[i] and #more[i] or 0)
    end
    small = bytes * 16 <= limit
  end
  return texts
end

-- What Jono leased and nobody settled goes back to its place, so that it is found in its old order.
local function sweep(index, hash, claims, now, most, limit)
  local ended = call('ZRANGEBYSCORE', claims, '-inf', now, 'LIMIT', 0, most)
  if #ended == 0 then return end
  -- Begun with a removal, a script may go on where the memory is full: consuming is what frees it.
  call('ZREM', claims, '')
  local done, bytes = {}, 0
  for i, claim in ipairs(ended) do
    if bytes > limit then break end
    done[i] = claim
    local id = claimed_id(claim)
    local place = at(index, id)
    local text = place and call('HGET', hash, id)
    if text then
      bytes = bytes + #text
      local head, tries, reserved, missed, due, score, fence, expired = parse(text)
      if reserved and score == place and fence == sub(claim, -13) then
        call('ZADD', index, 'XX', due, id)
        call('HSET', hash, id, head .. tail(tries, true, due, due, missed, expired, fence))
      end
    end
  end
  call('ZREM', claims, unpack(done))
end

-- Milliseconds until the first of an index can be claimed; -1 if it is empty.
local function wait(index, now)
  local first = call('ZRANGE', index, 0, 0, 'WITHSCORES')
  if #first == 0 then return -1 end
  return math.max(0, math.ceil(first[2] - now))
end
