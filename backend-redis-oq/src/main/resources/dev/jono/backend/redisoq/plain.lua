-- A queue without ordering keys. Its keys: index, hash, claims.
local K, keys = 3, nil
