-- What those scripts share that move messages into another queue. Behind the keys of the queue stand those of the target, which has
-- ordering keys or not: its index, which in a queue with ordering keys holds the settings, and hash; then index, hash, claims,
-- order, placed and slots of a queue with ordering keys.
local T = K + 8

-- Opens the target. Fails where one of its keys is something else.
local function open_target(now, stamp)
  local index, hash, target = KEYS[K + 1], KEYS[K + 2], nil
  if call('TYPE', index).ok == 'hash' then
    local settings = index
    index, hash = KEYS[K + 3], KEYS[K + 4]
    if keys and index == KEYS[1] then
      target = keys
    else
      target = ordering(index, hash, KEYS[K + 5], KEYS[K + 6], KEYS[K + 7], KEYS[K + 8], settings,
        tonumber(call('HGET', settings, 'keyed')), now)
    end
  end
  call('ZCARD', index)
  call('HEXISTS', hash, '')
  local opened = {}

  -- Adds a message, with Jono's fields or nil, unless one of its id is there. Answers whether it can be claimed when it is due.
  function opened.add(id, key, due, ending, fields, tail)
    if call('HEXISTS', hash, id) == 1 then return false end
    local text = '{' .. fields .. ',"mature":' .. plain(due) .. ENDS[ending]
    call('HSET', hash, id, tail and sub(text, 1, -2) .. tail or text)
    local keyed = target and key ~= ''
    local stands = not keyed or target.add(id, key, due, target.next_place(stamp))
    if keyed then target.flush() end
    if stands then call('ZADD', index, due, id) end
    return stands
  end
  function opened.close()
    if target and target ~= keys then target.close() end
  end
  return opened
end
