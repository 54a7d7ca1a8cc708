-- KEYS index, hash, call[, forgotten call]; ARGV how long to remember, channel or '', then per
-- message: flags and due, id, fields. First flag: what stands behind the fields. Second: n for a new id, which is the time
-- and what is given; i for one that is given. Answers the time, the stamp of new ids, and per given id 1 (stored) or 0.
local ENDS = {
  p = '}', b = ',"type":"buffer"}', j = ',"kind":"json"}',
  J = ',"type":"buffer","kind":"json"}', S = ',"type":"buffer","kind":"string"}'
}
local now, stamp = clock()
local seen = call('GET', KEYS[3])
if seen then return cmsgpack.unpack(seen) end
if KEYS[4] then call('DEL', KEYS[4]) end

local texts, scores, n, stored, known, earliest = {}, {}, 0, {}, {}, nil
local spec, due, new, ending -- of the message before: nearly all messages of a list are alike
for i = 3, #ARGV, 3 do
  local id, text = ARGV[i + 1], nil
  if ARGV[i] ~= spec then
    spec = ARGV[i]
    due = resolve(sub(spec, 3), now, stamp)
    new = sub(spec, 2, 2) == 'n'
    ending = ',"mature":' .. plain(due) .. ENDS[sub(spec, 1, 1)]
    if not earliest or due < earliest then earliest = due end
  end
  if new then
    id = stamp .. id
    text = '{"_id":"' .. id .. '",' .. ARGV[i + 2] .. ending
  else
    local live = known[id] or call('HEXISTS', KEYS[2], id) == 1
    known[id] = true
    stored[#stored + 1] = live and '0' or '1'
    if not live then text = '{' .. ARGV[i + 2] .. ending end
  end
  if text then
    texts[n + 1], texts[n + 2] = id, text
    scores[n + 1], scores[n + 2] = due, id
    n = n + 2
  end
end
local answer = {now, stamp, table.concat(stored)}
if n > 0 then
  call('HSET', KEYS[2], unpack(texts))
  call('ZADD', KEYS[1], unpack(scores))
end
call('SET', KEYS[3], cmsgpack.pack(answer), 'PX', ARGV[1])
if ARGV[2] ~= '' and n > 0 then call('PUBLISH', ARGV[2], plain(earliest)) end
return answer
