-- KEYS the types; ARGV names of types. Sets the time of their last use.
local time = redis.call('TIME')
local entries = {}
for _, type in ipairs(ARGV) do
  entries[#entries + 1] = time[1]
  entries[#entries + 1] = type
end
redis.call('ZADD', KEYS[1], unpack(entries))
return {}
