-- KEYS index, hash, call[, forgotten call]; ARGV suffix of new ids, how long to remember, channel or '', then per
-- message: flag and due, id or '', fields. Flag: what stands behind the fields.
local ENDS = {
  p = '}', b = ',"type":"buffer"}', j = ',"kind":"json"}',
  J = ',"type":"buffer","kind":"json"}', S = ',"type":"buffer","kind":"string"}'
}
local now, time = clock()
local seen = call('GET', KEYS[3])
if seen then return cmsgpack.unpack(seen) end
if KEYS[4] then call('DEL', KEYS[4]) end

local stamp = format('%.0f', time[1] * 1000000 + time[2])
local texts, scores, known, stored, earliest = {}, {}, {}, {}, nil
for i = 4, #ARGV, 3 do
  local due = resolve(sub(ARGV[i], 2), now)
  local ends = ',"mature":' .. plain(due) .. ENDS[sub(ARGV[i], 1, 1)]
  local id, text, live = ARGV[i + 1], nil, false
  if id == '' then
    id = format('%s-%03d-%s', stamp, (i - 4) / 3, ARGV[1])
    text = '{"_id":"' .. id .. '",' .. ARGV[i + 2] .. ends
  else
    live = known[id] or call('HEXISTS', KEYS[2], id) == 1
    known[id] = true
    text = '{' .. ARGV[i + 2] .. ends
  end
  if not live then
    local n = #texts
    texts[n + 1], texts[n + 2] = id, text
    scores[n + 1], scores[n + 2] = due, id
    if not earliest or due < earliest then earliest = due end
  end
  stored[#stored + 1] = live and '0' or '1'
end
local answer = {now, stamp, table.concat(stored)}
if #texts > 0 then
  call('HSET', KEYS[2], unpack(texts))
  call('ZADD', KEYS[1], unpack(scores))
end
call('SET', KEYS[3], cmsgpack.pack(answer), 'PX', ARGV[2])
if ARGV[3] ~= '' and earliest then call('PUBLISH', ARGV[3], plain(earliest)) end
return answer
