package dev.jono.backend.redislist;

import dev.jono.support.redis.RedisBackend;
import dev.jono.support.redis.RedisKeys;

/** How much one script and one call may do. Redis serves no other client while a script runs, so scripts stay short. */
final class Limits {
    /** Messages per call. */
    static final int MAX_BATCH = 500;

    /** Messages per script that pushes. A longer push is several scripts: Redis runs one while the client encodes the next. */
    static final int MAX_PUSH = 100;

    /** How long Redis remembers the result of a call, in milliseconds. */
    static final byte[] MEMORY_MILLIS = RedisKeys.bytes(300_000);

    /** Bytes of messages that one take returns; a single message may be larger. */
    static final long READ_BYTES = RedisBackend.MAX_READ_BYTES;

    private Limits() {}
}
