-- What those scripts share that know of leases.
--
-- A lease is one of many: of all that one claim brought, or one extend was about. The third key of a queue, a sorted set, holds
-- an entry for each by its end: the fence of the claim, and 1 if it is about one message, else +, and the end again. The index
-- holds the messages by that end, which no other lease has: what stands there is held under that fence, whatever its text says.

-- Whose lease ends at a score, as the index tells it: its fence, and the whole entry; nil if nobody's.
local leases = {}
local function lease(claims, ends)
  if leases[ends] == nil then leases[ends] = call('ZRANGEBYSCORE', claims, ends, ends)[1] or false end
  local entry = leases[ends]
  if entry then return sub(entry, 1, 13), entry end
end

-- Some that a lease was about are settled, or have another; where none is left, it ends. How many are may be known.
local function forget(index, claims, ends, left)
  local _, entry = lease(claims, ends)
  if entry and (byte(entry, 14) == 49 or (left or call('ZCOUNT', index, ends, ends)) == 0) then
    call('ZREM', claims, entry)
    leases[ends] = nil
  end
end

-- Whether a holder still has a message: D, S (another's, or nobody's) or G; how many bytes were read to know it; of D the end
-- of the lease, as the index tells it, or its place.
local function held(index, hash, claims, id, fence)
  local score = call('ZSCORE', index, id)
  if score and lease(claims, score) == fence then return 'D', 0, score end
  local text = call('HGET', hash, id)
  if not text then return 'G', 0 end
  local _, _, reserved, _, due, owner = rare().parse(text)
  if score and reserved and owner == fence and due == rare().score15(score) then return 'D', #text, score end
  return 'S', #text
end

-- Whether a consumer holds a message. Its score in the index shows that, if it is there.
local function is_held(claims, score, text, now)
  return score and tonumber(score) > now and (lease(claims, score) or select(3, rare().parse(text))) and true or false
end
