-- What all scripts share.
--
-- Redis hashes every text that a script gets or makes, byte by byte: two nanoseconds each. So payloads are copied as
-- rarely as can be, and numbers are formatted only where they are not at hand as texts. And each call of a script makes its
-- functions and tables anew, a tenth of a microsecond each: so a script has only the files that it needs, and those that
-- hardly any message needs are made when one does (texts.lua).
local call, sub, find, byte, format = redis.call, string.sub, string.find, string.byte, string.format

-- The time in milliseconds, and as Redis tells it: seconds, microseconds. Read once, because before Redis 7.2 the time goes on
-- while a script runs.
local time_of_call
local function clock()
  local time = time_of_call or call('TIME')
  time_of_call = time
  return time[1] * 1000 + math.floor(time[2] / 1000), time
end

-- A score: 15 digits, so that as a text it compares as a number does. keuss compares the scores themselves as texts,
-- so they must not be too small, nor begin with 1 where they have more digits than the present.
local function scored(number)
  if number < 1e12 then
    number = 1e12
  elseif number > 9999999999999 and number < 2e13 then
    number = 9999999999999
  elseif number > 999999999999999 or (number > 99999999999999 and number < 2e14) then
    number = 999999999999999
  end
  return format('%015.0f', math.ceil(number))
end

-- The time that Redis tells, as a text in microseconds, and the length of such a text.
local STAMP = 16
local function stamped(time)
  return time[1] .. sub('00000' .. time[2], -6)
end
