-- KEYS of the queue; ARGV entry of the order behind which to begin, or ''; how many entries to look at. Answers how many blocked
-- messages were removed, and where it ended ('' if that was all).
local entries, last = keys.blocked(ARGV[1], tonumber(ARGV[2]))
for _, entry in ipairs(entries) do
  local _, id = keys.parts(entry)
  keys.left_blocked(id)
  call('HDEL', KEYS[2], id)
end
return {#entries, last or ''}
