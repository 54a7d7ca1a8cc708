-- KEYS list, call[, forgotten call]; ARGV how many, most bytes, how long to remember, 1 if nobody knows how
-- large the messages are, else empty, 1 if the call is repeated: then it is remembered, too, that there was nothing, as a
-- text, for what was sent before may arrive only now.
-- Answers the time, how many are left, and how many it has moved into the list `call`, oldest first, which remembers them
-- and where they are read. No text passes through Lua, but one where nobody knows how large they are. SORT, told not to sort,
-- copies a range of a list into another one, and looks at no more of it.
local call = redis.call
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local taken = redis.pcall('LLEN', KEYS[2])
local left = call('LLEN', KEYS[1])
if type(taken) == 'table' then return {now, left, 0} end
-- Begun with a removal, the script may go on where the memory is full: consuming is what frees it.
if taken == 0 and (KEYS[3] or left > 0 or ARGV[5] == '1') then call('DEL', KEYS[3] or KEYS[2]) end
if taken == 0 and left == 0 and ARGV[5] == '1' then call('SET', KEYS[2], '', 'PX', ARGV[3]) end
if taken == 0 and left > 0 then
  local most, bytes, limit = math.min(left, tonumber(ARGV[1])), nil, tonumber(ARGV[2])
  if ARGV[4] ~= '' then -- before it copies them
    local bytes = math.max(#call('LINDEX', KEYS[1], -1), call('MEMORY', 'USAGE', KEYS[1], 'SAMPLES', 5) / left)
    most = math.max(1, math.min(most, math.floor(limit / bytes)))
  end
  repeat
    taken = call('SORT', KEYS[1], 'BY', 'nosort', 'DESC', 'LIMIT', 0, most, 'STORE', KEYS[2])
    bytes = call('MEMORY', 'USAGE', KEYS[2], 'SAMPLES', 0)
    most = math.max(1, math.floor(most * math.min(0.5, limit / bytes)))
  until bytes <= limit or taken == 1
  call('LTRIM', KEYS[1], 0, -taken - 1)
  call('PEXPIRE', KEYS[2], ARGV[3])
  left = left - taken
end
return {now, left, taken}
