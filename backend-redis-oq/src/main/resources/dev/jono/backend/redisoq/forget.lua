-- KEYS unique key; ARGV id. Answers 1 if the key was remembered with this id.
local value = call('GET', KEYS[1])
if not value or sub(value, STAMP + 1) ~= ARGV[1] then return {0} end
return {call('DEL', KEYS[1])}
