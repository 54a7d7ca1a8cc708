package dev.jono.backend.redisoq;

import dev.jono.support.redis.RedisKeys;

/** The Redis keys of one queue, and the channel of its signals. Immutable; the arrays are shared and never changed. */
final class QueueKeys {
    /** How the key of an index begins, after the prefix. The queue's name follows. */
    static final String INDEX = "keuss:q:ordered_queue:index:";

    /** A sorted set: the ids by due time, those of leased messages by the end of the lease. */
    final byte[] index;

    /** A hash: the encoded text of each message by id. */
    final byte[] hash;

    /** A sorted set of Jono's own: the claims by the ends of their leases. */
    final byte[] claims;

    /** The channel of this queue's signals. */
    final byte[] channel;

    private final RedisKeys keys;
    private final String calls;

    QueueKeys(RedisKeys keys, String namespace, String queue) {
        String stored = keys.stored(queue);
        this.keys = keys;
        this.index = keys.key(INDEX + stored);
        this.hash = keys.key("keuss:q:ordered_queue:hash:" + stored);
        this.claims = keys.key("jono:oq:claims:" + stored);
        this.calls = "jono:oq:call:" + stored + ':';
        this.channel = keys.signals(namespace, queue);
    }

    /** The key under which Redis remembers the result of a call. */
    byte[] call(String token) {
        return keys.key(calls + token);
    }

    /** Index, hash and claims, in the order in which the scripts expect them, followed by further keys. */
    byte[][] all(byte[]... more) {
        byte[][] all = new byte[3 + more.length][];
        all[0] = index;
        all[1] = hash;
        all[2] = claims;
        System.arraycopy(more, 0, all, 3, more.length);
        return all;
    }
}
