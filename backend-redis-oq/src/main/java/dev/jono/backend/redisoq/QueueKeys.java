package dev.jono.backend.redisoq;

import dev.jono.support.redis.RedisKeys;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The Redis keys of one queue in one layout, the scripts for it, and the channel of its signals. Immutable; the arrays are shared
 * and never changed.
 */
final class QueueKeys {
    /**
     * How a key begins, after the prefix. The queue's name follows. Of a queue without ordering keys it is the index that keuss
     * shares. Of a queue with ordering keys it is a hash with its settings: keuss, and a Jono that knows of no such queues, are
     * refused by Redis there.
     */
    static final String INDEX = "keuss:q:ordered_queue:index:";

    /** How the key of the index of a queue with ordering keys begins. */
    static final String KEYED_INDEX = "jono:oq:keyed:index:";

    /** Whether the queue has ordering keys. */
    final boolean keyed;

    final Scripts scripts;

    /** The index, or the settings of a queue with ordering keys. */
    final byte[] main;

    /** Holds when the last window of the queue's unique keys ends. Expires then. */
    final byte[] windows;

    /** Holds when the queue was deleted; unique keys from before are forgotten. Expires when their windows have ended. */
    final byte[] deletion;

    /** The channel of this queue's signals. */
    final byte[] channel;

    private final RedisKeys keys;
    private final String queue;
    private final byte[][] own;
    private final byte[][] target;
    private final String calls;

    QueueKeys(RedisKeys keys, String namespace, String queue, boolean keyed) {
        String stored = keys.stored(queue);
        this.keys = keys;
        this.queue = queue;
        this.keyed = keyed;
        this.scripts = keyed ? Scripts.KEYED : Scripts.PLAIN;
        this.main = keys.key(INDEX + stored);
        byte[] hash = keys.key("keuss:q:ordered_queue:hash:" + stored);
        byte[][] ordering = Stream.of(
                        KEYED_INDEX,
                        "jono:oq:keyed:hash:",
                        "jono:oq:keyed:claims:",
                        "jono:oq:keyed:order:",
                        "jono:oq:keyed:placed:",
                        "jono:oq:keyed:slots:")
                .map(start -> keys.key(start + stored))
                .toArray(byte[][]::new);
        this.own = keyed ? joined(ordering, main) : new byte[][] {main, hash, keys.key("jono:oq:claims:" + stored)};
        this.target = joined(new byte[][] {main, hash}, ordering);
        this.windows = keys.key("jono:oq:windows:" + stored);
        this.deletion = keys.key("jono:oq:deletion:" + stored);
        this.calls = "jono:oq:call:" + stored + ':';
        this.channel = keys.signals(namespace, queue);
    }

    /** The key under which Redis remembers the result of a call. */
    byte[] call(String token) {
        return keys.key(calls + token);
    }

    /** The key under which Redis remembers the message of a unique key. The lengths keep names apart that contain colons. */
    byte[] unique(@Nullable String scope, String key) {
        String stored = keys.stored(queue);
        return keys.key(
                scope == null
                        ? "jono:oq:unique:" + stored.length() + ':' + stored + ':' + key
                        : "jono:oq:scope:" + keys.hashTag(queue) + ':' + scope.length() + ':' + scope + ':' + key);
    }

    /** The keys of the queue, in the order in which the scripts expect them, followed by further keys. */
    byte[][] all(byte[]... more) {
        return joined(own, more);
    }

    /** {@link #all} for a script that moves messages into another queue. */
    byte[][] allWithTarget(QueueKeys other, byte[] call) {
        return joined(joined(own, other.target), call);
    }

    private static byte[][] joined(byte[][] first, byte[]... second) {
        return Stream.of(first, second).flatMap(Stream::of).toArray(byte[][]::new);
    }
}
