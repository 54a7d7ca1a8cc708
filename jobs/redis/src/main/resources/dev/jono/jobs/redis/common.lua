-- What the scripts for the records of one type share.
--
-- KEYS: 1 the records, 2 the ends of their retention, 3 their tags, 4 to 8 the lists of the records in each state, then logs.
--
-- A record is a text: the state (a digit), the attempt, the time of the last write, the end of the retention or '-', the bytes of
-- the log or '-' if there is none, the tags separated by commas; a line feed; the document. Times have 15 digits, so that they
-- compare as texts.
local call, format, match = redis.call, string.format, string.match
local RECORDS, ENDS, TAGS, LISTS, LOGS = 1, 2, 3, 4, 9

-- The time in milliseconds. Read once, because before Redis 7.2 it advances while a script runs.
local function clock()
  local time = call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function stamp(millis)
  return format('%015.0f', millis)
end

local function parse(text)
  local state, attempt, changed, till, log, tags, at = match(text, '^(%d) (%d+) (%d+) (%S+) (%S+) ([^\n]*)\n()')
  return {state = state, attempt = attempt, changed = changed, till = till, log = log, tags = tags, at = at}
end

local function written(state, attempt, changed, till, log, tags, document)
  return state .. ' ' .. attempt .. ' ' .. changed .. ' ' .. till .. ' ' .. log .. ' ' .. tags .. '\n' .. document
end

-- The entries of a record among the tags. The comma ends the tag, because no tag contains one.
local function tagged(id, state, changed, tags)
  local entries = {}
  for tag in string.gmatch(tags, '[^,]+') do
    entries[#entries + 1] = state .. tag .. ',' .. changed .. id
  end
  return entries
end

local function unlist(id, record)
  call('ZREM', KEYS[LISTS + record.state], record.changed .. id)
  if record.tags ~= '' then call('ZREM', KEYS[TAGS], unpack(tagged(id, record.state, record.changed, record.tags))) end
end
