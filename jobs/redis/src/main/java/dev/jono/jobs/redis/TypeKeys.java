package dev.jono.jobs.redis;

import dev.jono.jobs.spi.RecordState;
import dev.jono.support.redis.RedisKeys;
import java.util.Arrays;
import java.util.List;

/**
 * The Redis keys of the jobs of one type. They have the hash tag of the type's queues, so all of them are in one slot of a Cluster.
 * Within a type Redis stores the ids of jobs without the name of the type. Immutable; the arrays are shared and never changed.
 */
final class TypeKeys {
    /** A sorted set: names of types with the times of their last use. It has no hash tag. */
    static final String TYPES = "jono:jobs:types";

    /** The states; the index of each is its digit in Redis. */
    private static final List<RecordState> STATES = List.of(
            RecordState.OPEN, RecordState.FAILED, RecordState.SUCCEEDED, RecordState.CANCELLED, RecordState.EXPIRED);

    final String type;
    /** A hash: job to record. */
    final byte[] records;
    /** A sorted set of the tags of all records: state, tag, comma, time of the last write, job. */
    final byte[] tags;

    private final RedisKeys keys;
    private final String tag;
    private final byte[][] all;

    TypeKeys(RedisKeys keys, String type) {
        this.keys = keys;
        this.type = type;
        this.tag = "{jobs:" + type + "}";
        this.records = key("record:", "");
        this.tags = key("tag:", "");
        this.all = new byte[3 + STATES.size()][];
        all[0] = records;
        all[1] = key("end:", "");
        all[2] = tags;
        for (int i = 0; i < STATES.size(); i++) {
            all[3 + i] = list(STATES.get(i));
        }
    }

    private byte[] key(String kind, String rest) {
        return keys.key("jono:jobs:" + kind + tag + rest);
    }

    static RecordState state(char digit) {
        return STATES.get(digit - '0');
    }

    static String digit(RecordState state) {
        return Integer.toString(STATES.indexOf(state));
    }

    /** The name of the type of a job. */
    static String typeOf(String id) {
        int colon = id.indexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException(
                    "'" + id + "' is not the id of a job: it must begin with a type and a colon");
        }
        return id.substring(0, colon);
    }

    /** The id of a job as Redis stores it. */
    static byte[] stored(String id) {
        return RedisKeys.bytes(id.substring(id.indexOf(':') + 1));
    }

    /** The id of a job from its stored form. */
    String shown(String stored) {
        return type + ':' + stored;
    }

    /** A sorted set of the records in one state: time of the last write, job. All scores are 0. */
    byte[] list(RecordState state) {
        return key("list:", ":" + digit(state));
    }

    /** The list with the log of a job. */
    byte[] log(String id) {
        return key("log:", id.substring(id.indexOf(':')));
    }

    /** The keys in the order in which the scripts expect them, followed by logs. */
    byte[][] all(List<byte[]> logs) {
        byte[][] more = Arrays.copyOf(all, all.length + logs.size());
        for (int i = 0; i < logs.size(); i++) {
            more[all.length + i] = logs.get(i);
        }
        return more;
    }
}
