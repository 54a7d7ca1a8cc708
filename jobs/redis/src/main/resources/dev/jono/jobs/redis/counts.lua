-- Answers the number of records in each state.
local counts = {}
for state = 0, 4 do counts[state + 1] = call('ZCARD', KEYS[LISTS + state]) end
return counts
