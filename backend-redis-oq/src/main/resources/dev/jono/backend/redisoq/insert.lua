-- KEYS index, hash, call, call before (of the first of a list: its own)[, forgotten call]; ARGV how long to remember, channel or
-- '', end of new ids, then per run of messages that are alike: flags and due, how many, and of each: id, if it is given; fields.
-- First flag: what stands behind the fields. Second: n for new ids, which are the time, the place in the list and the end; i for
-- given ones.
-- Answers the time, the stamp of new ids, per given id 1 (stored) or 0, and why a signal was refused, if it was; nothing where
-- the call before is not done: then this one would be overtaking it.
local ENDS = {
  p = '}', b = ',"type":"buffer"}', j = ',"kind":"json"}',
  J = ',"type":"buffer","kind":"json"}', S = ',"type":"buffer","kind":"string"}'
}
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
local seen = call('GET', KEYS[3])
if seen then
  call('PEXPIRE', KEYS[3], ARGV[1]) -- a write, so that waiting for replicas waits for this call
  return cmsgpack.unpack(seen)
end

if KEYS[4] ~= KEYS[3] and call('GETRANGE', KEYS[4], 0, 0) == '' then return {} end
local texts, scores, n, stored, known, earliest, stamp = {}, {}, 0, {}, {}, nil, stamped(time)
local next, place, named = 4, 0, nil
while ARGV[next] do
  local due = resolve(sub(ARGV[next], 3), now, stamp)
  local ending = ',"mature":' .. plain(due) .. ENDS[sub(ARGV[next], 1, 1)]
  if sub(ARGV[next], 2, 2) == 'n' then
    local last = next + 1 + ARGV[next + 1]
    if not named and place + last - next > 2 then named = places() end
    for i = next + 2, last do
      place = place + 1
      local id = stamp .. (named and named[place] or '-000-') .. ARGV[3]
      texts[n + 1], texts[n + 2] = id, '{"_id":"' .. id .. '",' .. ARGV[i] .. ending
      scores[n + 1], scores[n + 2] = due, id
      n = n + 2
    end
    next = last + 1
  else
    local last = next + 1 + 2 * ARGV[next + 1]
    for i = next + 2, last, 2 do
      place = place + 1
      local id = ARGV[i]
      local live = known[id] or call('HEXISTS', KEYS[2], id) == 1
      known[id] = true
      stored[#stored + 1] = live and '0' or '1'
      if not live then
        texts[n + 1], texts[n + 2] = id, '{' .. ARGV[i + 1] .. ending
        scores[n + 1], scores[n + 2] = due, id
        n = n + 2
      end
    end
    next = last + 1
  end
  if not earliest or due < earliest then earliest = due end
end
local answer = {now, stamp, table.concat(stored)}
call('ZCARD', KEYS[1]) -- fails where it is something else, before anything is written
if n > 0 then
  call('HSET', KEYS[2], unpack(texts))
  call('ZADD', KEYS[1], unpack(scores))
end
call('SET', KEYS[3], cmsgpack.pack(answer), 'PX', ARGV[1])
if KEYS[5] then call('DEL', KEYS[5]) end -- last: behind a removal Redis would not ask any more whether its memory is full
return publish(n > 0 and ARGV[2] or '', earliest, answer)
