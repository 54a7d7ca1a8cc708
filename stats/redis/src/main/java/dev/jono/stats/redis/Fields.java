package dev.jono.stats.redis;

import dev.jono.spi.Counter;
import dev.jono.support.redis.RedisKeys;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** The fields of a queue's hash, with keuss's names. */
final class Fields {
    /** The queue's name in Redis, which keuss shows in its lists. */
    static final byte[] NAME = RedisKeys.bytes("name");

    static final byte[] NAMESPACE = RedisKeys.bytes("ns");

    /** The queue's options, from which keuss creates the queue again. */
    static final byte[] OPTIONS = RedisKeys.bytes("opts");

    static final byte[] NO_OPTIONS = RedisKeys.bytes("{}");
    static final byte[] PAUSED = RedisKeys.bytes("paused");
    static final byte[] TRUE = RedisKeys.bytes("true");
    static final byte[] FALSE = RedisKeys.bytes("false");

    private static final byte[] COUNTER_PREFIX = RedisKeys.bytes("counter_");
    private static final Map<Counter, byte[]> COUNTERS = new EnumMap<>(Counter.class);

    static {
        for (Counter counter : Counter.values()) {
            COUNTERS.put(counter, RedisKeys.bytes("counter_" + keussName(counter)));
        }
    }

    private Fields() {}

    private static String keussName(Counter counter) {
        return switch (counter) {
            case PUSHED -> "put";
            case POPPED -> "get";
            case RESERVED -> "reserve";
            case ACKED -> "commit";
            case RETRIED -> "rollback";
            case RELEASED -> "release"; // keuss has no such counter, but shows any.
            case DEAD_LETTERED -> "deadletter";
        };
    }

    static byte[] of(Counter counter) {
        byte[] field = COUNTERS.get(counter);
        if (field == null) {
            throw new IllegalStateException("no field for " + counter);
        }
        return field;
    }

    /** Whether a field is a counter, of a queue or of one of keuss's streams. */
    static boolean isCounter(byte[] field) {
        return field.length > COUNTER_PREFIX.length
                && Arrays.equals(field, 0, COUNTER_PREFIX.length, COUNTER_PREFIX, 0, COUNTER_PREFIX.length);
    }
}
