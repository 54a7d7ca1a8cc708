-- What those scripts share that read messages.
--
-- A message that nobody has settled yet stands as push wrote it, with MARK at its end while it is leased, or since, so that keuss
-- spares it; one that is large has no mark (see claim). Any other ends in Jono's fields, always 81 bytes long, so that they
-- are found and replaced without reading the JSON (of a field that stands twice the last counts, for keuss too):
--   ,"tries":     3,"reserved":true ,"jono":"<due> <missed> <expired> <fence>"}
-- due: its place; missed: deliveries that ended by expiry, which keuss's tries do not count; expired: e if the claim found
-- it so; fence: of the latest claim. One that is reserved by these fields, and stands in its place, was leased until the
-- end, and is still its holder's until somebody else takes it.
local MARK = ',"reserved":true}'

-- Whether a text speaks of a reservation. Nearly none has what is looked for first.
local function speaks(text) return find(text, 'ved"', 1, true) and find(text, '"reserved"', 1, true) end

-- Whether any tries are counted in a text; also where it is not known, because the payload has such a field.
local function tried(text)
  local at = find(text, '"tries"', 1, true)
  while at do
    if sub(text, at + 7, at + 9) ~= ':0,' then return true end
    at = find(text, '"tries"', at + 9, true)
  end
  return false
end

-- Whether nobody has reserved a message, and it ends as push mostly writes it.
local function fresh(text)
  local last = #text - 23
  return last > 0 and find(text, ',"mature":', last, true) == last and find(text, '^%d+}$', last + 10) and not speaks(text)
    and (find(text, ',"tries":0,"hdrs":{}', last - 20, true) == last - 20 or not tried(text))
end

-- What reads and writes any text, and tells places. Where all messages are fresh, none of it is made.
local made
local function rare()
  if made then return made end

  -- What the index holds, in 15 digits.
  local function score15(text)
    if #text == 13 and byte(text) ~= 45 and not find(text, '.', 1, true) then return '00' .. text end
    return scored(tonumber(text) or 0)
  end

  -- Where in the index something stands, as a text that sorts as the index does; behind it goes the id.
  local PLACE = 19
  local function place(text)
    return find(text, '.', 1, true) and format('%019.3f', tonumber(text)) or score15(text) .. '.000'
  end

  -- Whether a message without Jono's fields says of reservations and tries what only a parser can tell.
  local function intricate(text) return speaks(text) or tried(text) end

  -- How a text may end behind its due time, as push writes it.
  local function ending(text)
    return text == '}' or text == ',"type":"buffer"}' or text == ',"kind":"json"}'
      or text == ',"type":"buffer","kind":"json"}' or text == ',"type":"buffer","kind":"string"}'
  end

  -- Whether a message stands as push writes it, and nobody has reserved it. Then its due time is told by the end, too.
  local function untouched(text)
    if fresh(text) then return true end
    local rest = string.match(sub(text, -60), ',"mature":%d%d%d%d%d%d%d%d%d%d%d%d%d([^%d].*)$')
    return rest and ending(rest) and not intricate(text)
  end
  local function mature(text) return '00' .. string.match(sub(text, -60), ',"mature":(%d+)[^%d]*$') end

  -- Text without its end, tries, reserved, missed; and, where they are told, due and fence.
  local function parse(text)
    if sub(text, -49, -41) == ',"jono":"' and sub(text, -81, -73) == ',"tries":' then
      return sub(text, 1, -82), tonumber(sub(text, -72, -67)), sub(text, -54, -54) == 't',
        tonumber(sub(text, -24, -19)), sub(text, -40, -26), sub(text, -15, -3)
    end
    local head = text
    if sub(text, -1) == '}' then head = sub(text, 1, -2) end
    if untouched(text) then return head, 0, false, 0, mature(text) end
    if sub(text, -#MARK) == MARK then
      local before = sub(text, 1, -#MARK - 1)
      if untouched(before .. '}') then return before, 0, true, 0, mature(before) end
    end
    local tries, reserved, missed = 0, false, 0
    if intricate(text) then
      -- Written by a keuss process. It is read here, and never written back in this form.
      local ok, message = pcall(cjson.decode, text)
      if ok and type(message) == 'table' then
        tries = tonumber(message.tries) or 0
        reserved = message.reserved == true
        if type(message.jono) == 'string' then missed = tonumber(sub(message.jono, 17, 22)) or 0 end
      end
    end
    return head, tries, reserved, missed
  end

  local function tail(tries, reserved, due, missed, expired, fence)
    return format(',"tries":%6d,"reserved":%s,"jono":"%s %06d %s %s"}', math.min(tries, 999999),
      reserved and 'true ' or 'false', due, math.min(missed, 999999), expired, fence)
  end

  made = {score15 = score15, PLACE = PLACE, place = place, untouched = untouched, parse = parse, tail = tail}
  return made
end
