-- KEYS of the queue; ARGV how many, place to go on behind ('' for the beginning), as place makes it, with an
-- id; how many reservations to look at; bytes of texts behind which it ends. Answers the time, the place to go on behind
-- ('' if that was all), then per message, in the order of places: id, score, the place, 1 if it is leased, 2 if it is blocked, text.
local now = clock()
local PLACE, place, score15, parse = rare().PLACE, rare().place, rare().score15, rare().parse
local most, after, bound, limit = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
-- Behind all others stand the blocked ones, by the entries of the order.
if keys and byte(after) == 126 then
  local entries, last = keys.blocked(sub(after, 2), most)
  local answer, bytes = {now, last and '~' .. last or ''}, 0
  for _, entry in ipairs(entries) do
    local _, id = keys.parts(entry)
    local text = call('HGET', KEYS[2], id)
    if text then
      local n = #answer
      answer[n + 1], answer[n + 2], answer[n + 3] = id, keys.due(id), '~' .. sub(entry, 1, -#id - 1)
      answer[n + 4], answer[n + 5] = 2, text
      bytes = bytes + #text
      if bytes > limit then
        answer[2] = '~' .. entry
        break
      end
    end
  end
  return answer
end

local places, scores = {}, {}

-- The leased ones stand in the index by the ends of their leases; the places they came from are in their texts.
local leased = {}
local claims, bytes = call('ZRANGE', KEYS[3], 0, bound - 1, 'WITHSCORES'), 0
for i = 2, #claims, 2 do
  local ids = bound > 0 and call('ZRANGEBYSCORE', KEYS[1], claims[i], claims[i], 'LIMIT', 0, bound) or {}
  bound = bound - #ids
  local done = 0
  while done < #ids and bytes <= limit do
    for _, text in ipairs(more(KEYS[2], ids, done, bytes, limit)) do
      done = done + 1
      bytes = bytes + (text and #text or 0)
      local _, _, _, _, due = parse(text or '')
      if due then
        leased[ids[done]] = true
        local its = due .. '.000' .. ids[done]
        if its > after then places[#places + 1], scores[its] = its, claims[i] end
      end
    end
  end
  if bytes > limit then break end
end
table.sort(places)

-- The first of the index behind the place, by halving.
local low, high = 0, call('ZCARD', KEYS[1])
while low < high do
  local middle = math.floor((low + high) / 2)
  local at = call('ZRANGE', KEYS[1], middle, middle, 'WITHSCORES')
  if place(at[2]) .. at[1] > after then high = middle else low = middle + 1 end
end
local free, rest = {}, true
while rest and #free < most do
  local page = call('ZRANGE', KEYS[1], low, low + 99, 'WITHSCORES')
  for i = 1, #page, 2 do
    if not leased[page[i]] and #free < most then
      local its = place(page[i + 1]) .. page[i]
      free[#free + 1], scores[its] = its, page[i + 1]
    end
  end
  rest = #page == 200
  low = low + 100
end

-- Both in one order; as far as the free ones were looked at.
local answer, left, right, its = {now, ''}, 1, 1, nil
bytes = 0
while #answer < 5 * most and bytes <= limit and (free[right] or (places[left] and #free < most)) do
  if free[right] and (not places[left] or free[right] < places[left]) then
    its, right = free[right], right + 1
  else
    its, left = places[left], left + 1
  end
  local id = sub(its, PLACE + 1)
  local text = call('HGET', KEYS[2], id)
  if text then
    local n, score = #answer, scores[its]
    answer[n + 1], answer[n + 2], answer[n + 3] = id, score15(score), sub(its, 1, PLACE)
    answer[n + 4], answer[n + 5] = lease(KEYS[3], score) and 1 or 0, text
    bytes = bytes + #text
  end
end
if places[left] or free[right] or #free == most then answer[2] = its elseif keys then answer[2] = '~' end
return answer
