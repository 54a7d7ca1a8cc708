-- KEYS of the queue, windows, deletion[, forgotten calls]; ARGV 1 to delete the messages too. Answers 1 if the queue is deleted,
-- and how many messages it held.
for i = K + 3, #KEYS do call('UNLINK', KEYS[i]) end
local messages = keys and call('HLEN', KEYS[2]) or call('ZCARD', KEYS[1])
if messages > 0 and ARGV[1] ~= '1' then return {0, messages} end
local now, time = clock()
local windows = call('GET', KEYS[K + 1])
call('UNLINK', unpack(KEYS, 1, K))
-- The names of its unique keys are not known here. Those from before this time count as forgotten, until all have expired.
if windows and tonumber(windows) > now then
  call('SET', KEYS[K + 2], stamped(time), 'PX', format('%.0f', windows - now))
end
return {1, messages}
