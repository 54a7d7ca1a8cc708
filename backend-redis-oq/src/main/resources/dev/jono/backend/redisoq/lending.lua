-- A new lease; its end. That is some part of a millisecond later than was asked for, so that it is nobody else's: all else in
-- the index has whole milliseconds.
local part
local function lend(claims, now, time, millis, fence, count)
  local at, ends = math.min(now + millis, 9999999999999), nil -- later ones keuss would not compare rightly
  part = part or time[2] % 1000
  repeat
    if part % 1000 == 0 then part = part + 1 end
    ends = format('%.0f.%03d', at + math.floor(part / 1000), part % 1000)
    part = part + 1
  until call('ZCOUNT', claims, ends, ends) == 0
  call('ZADD', claims, ends, fence .. (count == 1 and '1' or '+') .. ends)
  return ends
end
