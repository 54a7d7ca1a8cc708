-- KEYS of the queue, call, call before (of the first of a list: its own)[, windows, deletion, unique keys][, forgotten call].
-- ARGV how long to remember, channel or '', end of new ids, how many KEYS there are from windows to the last unique key; then per
-- run of messages that are alike: flags and due, how many, and of each: id, if it is given; fields.
-- First flag: what stands behind the fields. Second: n for new ids, which are the time, the place in the list and the end; i for
-- given ones; N, I: as n and i, but before the id and the fields there are the ordering key or '', and the number of the unique
-- key (negative for one of a scope, which a deletion of the queue leaves) and the milliseconds to remember it, or '' and ''; R: as
-- I, of messages that were taken, and get their old places.
-- Answers the time, the stamp of new ids, per given id 1 (stored) or 0, of messages whose unique keys were remembered the places
-- in the list and the ids that were stored, and why a signal was refused, if it was; nothing where the call before is not done:
-- then this one would be overtaking it.
-- Written out: a text that a script makes is dearer than one that it has. And made only for lists.
local function places()
  return {
    '-000-', '-001-', '-002-', '-003-', '-004-', '-005-', '-006-', '-007-', '-008-', '-009-',
    '-010-', '-011-', '-012-', '-013-', '-014-', '-015-', '-016-', '-017-', '-018-', '-019-',
    '-020-', '-021-', '-022-', '-023-', '-024-', '-025-', '-026-', '-027-', '-028-', '-029-',
    '-030-', '-031-', '-032-', '-033-', '-034-', '-035-', '-036-', '-037-', '-038-', '-039-',
    '-040-', '-041-', '-042-', '-043-', '-044-', '-045-', '-046-', '-047-', '-048-', '-049-',
    '-050-', '-051-', '-052-', '-053-', '-054-', '-055-', '-056-', '-057-', '-058-', '-059-',
    '-060-', '-061-', '-062-', '-063-', '-064-', '-065-', '-066-', '-067-', '-068-', '-069-',
    '-070-', '-071-', '-072-', '-073-', '-074-', '-075-', '-076-', '-077-', '-078-', '-079-',
    '-080-', '-081-', '-082-', '-083-', '-084-', '-085-', '-086-', '-087-', '-088-', '-089-',
    '-090-', '-091-', '-092-', '-093-', '-094-', '-095-', '-096-', '-097-', '-098-', '-099-',
  }
end
local now, time = clock()
local seen = call('GET', KEYS[K + 1])
if seen then
  call('PEXPIRE', KEYS[K + 1], ARGV[1]) -- a write, so that waiting for replicas waits for this call
  return cmsgpack.unpack(seen)
end

if KEYS[K + 2] ~= KEYS[K + 1] and call('GETRANGE', KEYS[K + 2], 0, 0) == '' then return {} end
call('ZCARD', KEYS[1]) -- fails where it is something else, before anything is written
local texts, scores, n, m, stored, known, earliest, stamp = {}, {}, 0, 0, {}, {}, nil, stamped(time)
local next, place, named, duplicates, new_firsts, remember = 5, 0, nil, {}, {}, {}

-- The id that is remembered of a unique key, if there is one. Otherwise this id will be remembered when all is stored.
local uniques, longest = tonumber(ARGV[4]), 0
local values = uniques > 0 and call('MGET', unpack(KEYS, K + 3, K + 2 + uniques))
local function first_of(number, window, id)
  local own = number > 0
  local at = own and number or -number
  local unique, value = KEYS[K + 2 + at], values[at]
  local gone = value and own and values[2] and sub(value, 1, STAMP) <= values[2]
  local first = new_firsts[unique] or (value and not gone and sub(value, STAMP + 1))
  if not first then
    new_firsts[unique] = id
    remember[#remember + 1], remember[#remember + 2], remember[#remember + 3] = unique, id, window
    if own then longest = math.max(longest, tonumber(window)) end
  end
  return first
end

-- Adds a message with an ordering key, a unique key, or both.
local function special(at, id, due, fields, restored)
  local first = ARGV[at + 1] ~= '' and first_of(tonumber(ARGV[at + 1]), ARGV[at + 2], id)
  if first then
    duplicates[#duplicates + 1], duplicates[#duplicates + 2] = place, first
    return
  end
  texts[n + 1], texts[n + 2] = id, fields
  n = n + 2
  local key, stands = ARGV[at], true
  if keys and key ~= '' then
    if restored then stands = keys.restore(id, key, due) else stands = keys.add(id, key, due, keys.next_place(stamp)) end
  end
  if stands then
    scores[m + 1], scores[m + 2] = due, id
    m = m + 2
  end
end

while ARGV[next] do
  local due = resolve(sub(ARGV[next], 3), now, stamp)
  local ending = ',"mature":' .. plain(due) .. ENDS[sub(ARGV[next], 1, 1)]
  local form = sub(ARGV[next], 2, 2)
  if form == 'n' then
    local last = next + 1 + ARGV[next + 1]
    if not named and place + last - next > 2 then named = places() end
    for i = next + 2, last do
      place = place + 1
      local id = stamp .. (named and named[place] or '-000-') .. ARGV[3]
      texts[n + 1], texts[n + 2] = id, '{"_id":"' .. id .. '",' .. ARGV[i] .. ending
      scores[m + 1], scores[m + 2] = due, id
      n, m = n + 2, m + 2
    end
    next = last + 1
  elseif form == 'i' then
    local last = next + 1 + 2 * ARGV[next + 1]
    for i = next + 2, last, 2 do
      place = place + 1
      local id = ARGV[i]
      local live = known[id] or call('HEXISTS', KEYS[2], id) == 1
      known[id] = true
      stored[#stored + 1] = live and '0' or '1'
      if not live then
        texts[n + 1], texts[n + 2] = id, '{' .. ARGV[i + 1] .. ending
        scores[m + 1], scores[m + 2] = due, id
        n, m = n + 2, m + 2
      end
    end
    next = last + 1
  elseif form == 'N' then
    local last = next + 1 + 4 * ARGV[next + 1]
    for i = next + 2, last, 4 do
      place = place + 1
      local id = stamp .. format('-%03d-', place - 1) .. ARGV[3]
      special(i, id, due, '{"_id":"' .. id .. '",' .. ARGV[i + 3] .. ending)
    end
    next = last + 1
  else
    local last = next + 1 + 5 * ARGV[next + 1]
    for i = next + 2, last, 5 do
      place = place + 1
      local id = ARGV[i + 3]
      local live = known[id] or call('HEXISTS', KEYS[2], id) == 1
      known[id] = true
      stored[#stored + 1] = live and '0' or '1'
      if not live then special(i, id, due, '{' .. ARGV[i + 4] .. ending, form == 'R') end
    end
    next = last + 1
  end
  if not earliest or due < earliest then earliest = due end
end
local answer = {now, stamp, table.concat(stored), duplicates}
if n > 0 then call('HSET', KEYS[2], unpack(texts)) end
if m > 0 then call('ZADD', KEYS[1], unpack(scores)) end
for i = 1, #remember, 3 do call('SET', remember[i], stamp .. remember[i + 1], 'PX', remember[i + 2]) end
if longest > 0 and now + longest > tonumber(values[1] or 0) then
  call('SET', KEYS[K + 3], format('%.0f', now + longest), 'PX', longest)
end
if keys then keys.close() end
call('SET', KEYS[K + 1], cmsgpack.pack(answer), 'PX', ARGV[1])
local forgotten = KEYS[K + 3 + ARGV[4]]
if forgotten then call('DEL', forgotten) end -- last: behind a removal Redis would not ask any more whether its memory is full
return publish(n > 0 and ARGV[2] or '', earliest, answer)
