-- What all scripts share.
--
-- Redis hashes every text that a script gets or makes, byte by byte: two nanoseconds each. So payloads are copied as
-- rarely as can be, and numbers are formatted only where they are not at hand as texts. And each call of a script makes its
-- functions and tables anew, a tenth of a microsecond each: what only those need that read messages stands in messages.lua.
local call, sub, find, byte, format = redis.call, string.sub, string.find, string.byte, string.format

-- The time in milliseconds, and as a text in microseconds, 16 digits.
local function clock()
  local time = call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000), time[1] .. sub('00000' .. time[2], -6)
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

-- A score of 15 digits as a number in JSON.
local function plain(score)
  return sub(score, (find(score, '[^0]')))
end

-- 'now', '+delay' or an instant, as a score; stamp is the text of the time.
local function resolve(due, now, stamp)
  if due == 'now' then return '00' .. sub(stamp, 1, 13) end
  if sub(due, 1, 1) == '+' then return scored(now + sub(due, 2)) end
  return scored(tonumber(due))
end

-- Tells who listens. What was done before is done: a signal that Redis refuses is told behind the answer.
local function publish(channel, due, answer)
  if channel ~= '' and due then
    local sent = redis.pcall('PUBLISH', channel, plain(due))
    if type(sent) == 'table' then answer[#answer + 1] = sent.err end
  end
  return answer
end
