-- KEYS: 1 a hash with the entries of a kind, 2 a sorted set of their names, all with score 0. An entry is a text of two lines: its
-- version, and its document. ARGV per change: name, expected version or '' for no entry, new version, 1 if it has a document or 0,
-- document. Answers 1 (done) or 0 per change.
local call = redis.call

local function change(name, expected, version, has, document)
  local text = call('HGET', KEYS[1], name)
  local before = text and string.match(text, '^[^\n]*') or ''
  if before == version or (has == '0' and not text) then return 1 end
  if before ~= expected then return 0 end
  if has == '0' then
    call('HDEL', KEYS[1], name)
    call('ZREM', KEYS[2], name)
  else
    call('HSET', KEYS[1], name, version .. '\n' .. document)
    if not text then call('ZADD', KEYS[2], 0, name) end
  end
  return 1
end

local outcomes = {}
for i = 1, #ARGV, 5 do outcomes[#outcomes + 1] = change(unpack(ARGV, i, i + 4)) end
return outcomes
