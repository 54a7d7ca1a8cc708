-- What those scripts share that work on queues with ordering keys.
--
-- Of each key, as many messages are admitted as may be held at one time. Admitted messages are in the index, as in any queue. The
-- others are blocked, and are not in the index. Four more Redis keys describe them: order, a sorted set of '<key>\0<place><id>',
-- all of one score, so that the messages of a key are next to each other in the order of insertion (a place has 19 digits);
-- placed, a hash: of each id the due time (15 digits) and that text; slots, a hash: of keys how many are admitted; settings,
-- a hash: how many may be (keyed), and the last place (last). Messages without a key are in none of them.
--
-- With one per key the order is strict, and one is admitted of each key that has messages, unless slots has another number. A message that waits for its due time is admitted too, and blocks the later ones. One
-- holder may have several consecutive ones; these are all admitted. Where one goes back, the later ones are taken back with it.
-- With more per key, a message that waits for its due time stands in the index without a slot, and is not in the order; the claim
-- gives it a slot, or blocks it.
local function ordering(index, hash, claims, order, placed, slots, settings, limit, now)
  local strict, at, self = limit == 1, scored(now), {}
  local counts, stored, changed, joined, last, places = {}, {}, {}, {}, nil, 0
  -- Mostly slots is empty, and the next message of a key replaces the last one. uneven: whether numbers in slots may have to change.
  -- numbered: how many numbers slots has; nil if that was not asked yet.
  local uneven, numbered = false, nil
  local placing, entering = {}, {} -- what add has not stored yet: fields and values of placed, scores and members of order

  -- The first messages of a key, from an entry on or after it.
  local function of_key(key, from, most) return call('ZRANGEBYLEX', order, from, '(' .. key .. '\1', 'LIMIT', 0, most) end
  local function first(key) return of_key(key, '[' .. key .. '\0', 1)[1] end

  -- How many of a key are admitted; stored when the script ends. Whether all of the keys have messages may be known.
  local function load(list, present)
    local missing, n = {}, 0
    for i = 1, #list do
      local key = list[i]
      if not counts[key] then
        counts[key] = strict and (present or first(key)) and 1 or 0
        n = n + 1
        missing[n] = key
      end
    end
    if n == 0 then return end
    numbered = numbered or call('HLEN', slots)
    if numbered == 0 then return end
    for i, number in ipairs(call('HMGET', slots, unpack(missing))) do
      if number then
        local key = missing[i]
        stored[key], counts[key], uneven = number, tonumber(number), true
      end
    end
  end
  local function admitted(key)
    if not counts[key] then load({key}) end
    return counts[key]
  end
  local function count(key, by) counts[key], uneven = admitted(key) + by, true end

  -- The parts of an entry of the order: key, id.
  local function parts(entry)
    local nul = find(entry, '\0', 1, true)
    return sub(entry, 1, nul - 1), sub(entry, nul + 20)
  end

  -- What is known of a message with a key: its entry, its due time; nil of any other.
  local function look(id)
    local text = call('HGET', placed, id)
    if text then return sub(text, 16), sub(text, 1, 15) end
  end

  local function block(id, key)
    call('ZREM', index, id)
    count(key, -1)
  end

  -- Blocks a message that no consumer holds any more, unless it is the first of its key. A message that was restored may be first,
  -- and none admitted then.
  local function block_behind_first(id, entry, key)
    if first(key) == entry then return false end
    block(id, key)
    changed[key] = true
    return true
  end

  -- Takes the later messages of a key from their holder, uncounted. One whose lease has ended comes back by itself.
  local function take_back(entry, key, ended)
    for _, later in ipairs(admitted(key) > 1 and of_key(key, '(' .. entry, admitted(key) - 1) or {}) do
      local _, id = parts(later)
      local score = call('ZSCORE', index, id)
      if not score then return end
      if tonumber(score) > now then
        local text = call('HGET', hash, id)
        if text then
          local head, tries, _, missed = rare().parse(text)
          call('HSET', hash, id, head .. rare().tail(tries, false, select(2, look(id)), missed, '-', '-------------'))
        end
        block(id, key)
        if ended then ended[score] = true else forget(index, claims, score) end
      end
    end
  end

  -- The place after all others. The clock of Redis may go back; places do not.
  function self.next_place(stamp)
    if not last then
      last = math.max(tonumber(stamp), tonumber(call('HGET', settings, 'last') or 0) + 1)
      call('HSET', settings, 'last', format('%.0f', last))
    end
    places = places + 1
    return format('%016.0f%03d', last, places - 1)
  end

  -- Whether a new message is to stand in the index.
  function self.add(id, key, due, place)
    local entry, n, m = key .. '\0' .. place .. id, #placing, #entering
    placing[n + 1], placing[n + 2] = id, due .. entry
    if not strict and due > at then return true end
    local free = admitted(key) < limit
    entering[m + 1], entering[m + 2] = 0, entry
    if free and strict then
      counts[key] = 1
    elseif free then
      count(key, 1)
    end
    return free
  end

  -- Stores what was added. Nothing may look for these messages before.
  function self.flush()
    if #placing > 0 then call('HSET', placed, unpack(placing)) end
    if #entering > 0 then call('ZADD', order, unpack(entering)) end
    placing, entering = {}, {}
  end

  -- As add, for a message that was taken: at its old place, which its id contains, otherwise before the others. A later message
  -- that no consumer holds gives way.
  function self.restore(id, key, due)
    local time, number = string.match(id, '^(' .. string.rep('%d', 16) .. ')%-(%d%d%d)%-')
    local place = time and time .. number or string.rep('0', 19)
    self.flush()
    local entry = strict and first(key)
    if entry and sub(entry, #key + 2, #key + 20) > place then
      local _, later = parts(entry)
      local score = call('ZSCORE', index, later)
      if score and not lease(claims, score) then block(later, key) end
    end
    return self.add(id, key, due, place)
  end

  -- Messages have left the index and the queue.
  function self.left(ids)
    local gone, entries, list, n = {}, {}, {}, 0
    local texts = #ids > 0 and call('HMGET', placed, unpack(ids)) or {}
    for i = 1, #ids do
      local text = texts[i]
      if text then
        n = n + 1
        local key = sub(text, 16, find(text, '\0', 16, true) - 1) -- as parts does, without a text for the id
        gone[n], entries[n], list[n] = ids[i], sub(text, 16), key
      end
    end
    if n == 0 then return end
    load(list, true)
    for i = 1, n do
      local key = list[i]
      if strict or call('ZREM', order, entries[i]) == 1 then counts[key] = counts[key] - 1 end
      changed[key] = true
    end
    if strict then call('ZREM', order, unpack(entries)) end
    call('HDEL', placed, unpack(gone))
  end

  -- A blocked message has left the queue.
  function self.left_blocked(id)
    local entry = look(id)
    if entry then
      call('ZREM', order, entry)
      call('HDEL', placed, id)
    end
  end

  -- A message that no consumer holds any more gets this due time, and its place in the index. Leases that may have ended are
  -- added.
  function self.released(id, due, ended)
    local entry = look(id)
    if not entry then return end
    local key = parts(entry)
    call('HSET', placed, id, due .. entry)
    if strict then
      take_back(entry, key, ended)
      block_behind_first(id, entry, key)
    elseif due > at and call('ZREM', order, entry) == 1 then
      count(key, -1)
      changed[key] = true
    elseif due <= at and call('ZADD', order, 0, entry) == 1 then
      count(key, 1)
      if admitted(key) > limit then block(id, key) end
    end
  end

  -- The lease of a message has ended: it stands in the index by its due time again.
  function self.ended(id)
    local entry = strict and look(id)
    if not entry then return end
    local key = parts(entry)
    if not block_behind_first(id, entry, key) then take_back(entry, key) end
  end

  -- The due time of a message with a key; nil of any other.
  function self.due(id) return (select(2, look(id))) end
  function self.set_due(id, due)
    local entry = look(id)
    if entry then call('HSET', placed, id, due .. entry) end
  end

  -- The messages that a claim may hand out, of those that are due. The first message of a key brings the due ones that follow it,
  -- up to the given number per key (together).
  local function choose(ids, together, most)
    local found = {}
    for _, id in ipairs(ids) do
      if #found >= most then break end
      local entry = look(id)
      local key = entry and parts(entry)
      if not entry or strict or call('ZADD', order, 0, entry) == 0 then
        found[#found + 1] = id
      elseif admitted(key) < limit then
        count(key, 1)
        found[#found + 1] = id
      else
        call('ZREM', index, id)
      end
      local more = entry and strict and math.min(together - 1, most - #found) or 0
      for _, later in ipairs(more > 0 and of_key(key, '(' .. entry, more) or {}) do
        local _, follower = parts(later)
        if self.due(follower) > at or call('ZSCORE', index, follower) then break end
        found[#found + 1], joined[follower] = follower, key
      end
    end
    return found
  end

  -- As choose. If all of these were blocked, those after them, up to the given score; only as many that other clients do not
  -- wait for long.
  function self.candidates(ids, together, most, bound)
    if strict and together == 1 then return ids end
    if not strict then call('ZREM', index, '') end -- as in sweep
    local found, looked = choose(ids, together, most), #ids
    while #found == 0 and #ids > 0 and looked < 1000 do
      ids = call('ZRANGEBYSCORE', index, '-inf', bound, 'LIMIT', 0, 100)
      found, looked = choose(ids, together, most), looked + #ids
    end
    return found
  end

  -- Messages that were claimed: each second of a list of this size. Those that follow others are admitted with them.
  function self.claimed(list, size)
    for i = 2, size, 2 do
      local key = joined[list[i]]
      if key then
        call('ZADD', index, 0, list[i])
        count(key, 1)
      end
    end
  end

  -- Brings ids into the order of their keys.
  function self.sort(ids)
    local entries = {}
    for i, text in ipairs(#ids > 0 and call('HMGET', placed, unpack(ids)) or {}) do entries[ids[i]] = text and sub(text, 16) or '' end
    table.sort(ids, function(a, b) return entries[a] == entries[b] and a < b or entries[a] < entries[b] end)
  end

  -- Admits the first messages of keys of which none is admitted; when the first of them is due.
  local function admit_first(list)
    local ids, keys_of, scores, n, earliest = {}, {}, {}, 0, nil
    for i = 1, #list do
      local key = list[i]
      local entry = first(key)
      if entry then
        n = n + 1
        ids[n], keys_of[n] = sub(entry, #key + 21), key
      end
    end
    local texts = n > 0 and call('HMGET', placed, unpack(ids))
    for i = 1, n do
      local due = sub(texts[i], 1, 15)
      if due < at then due = at end
      counts[keys_of[i]] = 1
      scores[2 * i - 1], scores[2 * i] = due, ids[i]
      if not earliest or due < earliest then earliest = due end
    end
    if n > 0 then call('ZADD', index, unpack(scores)) end
    return earliest
  end

  -- Admits messages of a key until as many are admitted as may be; when the first of them is due. Those that are not due yet get
  -- no slot.
  local function admit_more(key)
    local early, earliest
    repeat
      early = 0
      for _, entry in ipairs(of_key(key, '[' .. key .. '\0', limit)) do
        local _, id = parts(entry)
        if admitted(key) < limit and not call('ZSCORE', index, id) then
          local due = self.due(id)
          if due > at then
            call('ZREM', order, entry)
            early = early + 1
          else
            count(key, 1)
            due = at
          end
          call('ZADD', index, due, id)
          if not earliest or due < earliest then earliest = due end
        end
      end
    until early == 0
    return earliest
  end

  -- Admits what is next of the keys from which messages have left, due from now on, so that no key starves the others. When the
  -- first of them is due; nil if there is none. Stores how many are admitted.
  function self.close()
    self.flush()
    local open, earliest = {}, nil
    for key in pairs(changed) do
      if counts[key] < limit then open[#open + 1] = key end
    end
    if strict then
      earliest = admit_first(open)
    else
      for _, key in ipairs(open) do
        local due = admit_more(key)
        if due and (not earliest or due < earliest) then earliest = due end
      end
    end
    local kept, empty = {}, {}
    for key, number in pairs(uneven and counts or {}) do
      if number > 0 and not (strict and number == 1) then
        kept[#kept + 1], kept[#kept + 2] = key, number
      elseif stored[key] then
        empty[#empty + 1] = key
      end
    end
    if #kept > 0 then call('HSET', slots, unpack(kept)) end
    if #empty > 0 then call('HDEL', slots, unpack(empty)) end
    counts, stored, changed, uneven, numbered = {}, {}, {}, false, nil
    return earliest
  end

  -- Blocked messages behind an entry of the order, as browse answers: how many entries to look at.
  function self.blocked(after, most)
    local entries, found = call('ZRANGEBYLEX', order, after == '' and '-' or '(' .. after, '+', 'LIMIT', 0, most), {}
    for i, entry in ipairs(entries) do
      local _, id = parts(entry)
      if not call('ZSCORE', index, id) then found[#found + 1] = entry end
    end
    return found, entries[most]
  end
  self.parts = parts
  return self
end
