package dev.jono.backend.redisoq;

import dev.jono.support.redis.RedisBackend;
import dev.jono.support.redis.RedisKeys;

/** How much one script and one call may do. Redis serves no other client while a script runs, so scripts stay short. */
final class Limits {
    /** Messages per script. */
    static final int MAX_SCRIPT = 100;

    /** Messages per call. A call is sent as up to three scripts: Redis runs the next one while the client reads a result. */
    static final int MAX_BATCH = 3 * MAX_SCRIPT;

    /** How long Redis remembers the result of a call, in milliseconds. */
    static final byte[] MEMORY_MILLIS = RedisKeys.bytes(300_000);

    /** Bytes of messages that a script reads. The script ends after the message that exceeds this limit. */
    static final byte[] READ_BYTES = RedisKeys.bytes(RedisBackend.MAX_READ_BYTES);

    private Limits() {}
}
