-- What those scripts share that put messages in their places.

-- What stands behind the due time of a message, by the letter of its form.
local ENDS = {
  p = '}', b = ',"type":"buffer"}', j = ',"kind":"json"}',
  J = ',"type":"buffer","kind":"json"}', S = ',"type":"buffer","kind":"string"}'
}

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
