package dev.jono.backend.redisoq;

import dev.jono.support.redis.RedisKeys;

/** The keys of one queue. */
final class QueueKeys {
    static final String INDEX = "keuss:q:ordered_queue:index:";

    final byte[] index;
    final byte[] hash;
    /** Of Jono's: what is claimed, by the ends of the leases. */
    final byte[] claims;
    /** Where signals of this queue go. */
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

    /** Where the result of a call is remembered. */
    byte[] call(String token) {
        return keys.key(calls + token);
    }
}
