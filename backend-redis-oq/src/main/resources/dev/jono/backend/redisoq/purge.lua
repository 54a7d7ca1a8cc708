-- KEYS index, hash, claims; ARGV rank to begin at, how many to look at, most bytes to read.
-- Answers how many were removed, how many are held, and whether the end was reached.
local now = clock()
local from, most = tonumber(ARGV[1]), tonumber(ARGV[2])
local ids = call('ZRANGE', KEYS[1], from, from + most - 1, 'WITHSCORES')
local gone, claims, kept, bytes, ended = {}, {}, 0, 0, #ids < 2 * most
for i = 1, #ids, 2 do
  local text = call('HGET', KEYS[2], ids[i])
  local reserved, due, fence = false, nil, nil
  if text then
    local _
    bytes = bytes + #text
    _, _, reserved, _, due, _, fence = parse(text)
  end
  if reserved and tonumber(ids[i + 1]) > now then
    kept = kept + 1
  else
    gone[#gone + 1] = ids[i]
    if due then claims[#claims + 1] = claimed(due, ids[i], fence) end
  end
  if bytes > tonumber(ARGV[3]) and i + 1 < #ids then
    ended = false
    break
  end
end
if #gone > 0 then
  call('ZREM', KEYS[1], unpack(gone))
  call('HDEL', KEYS[2], unpack(gone))
end
if #claims > 0 then call('ZREM', KEYS[3], unpack(claims)) end
return {#gone, kept, ended and 1 or 0}
