package dev.jono.support.redis;

import dev.jono.Storage;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An application's own Lettuce client, for {@code QueueFactoryBuilder.storage}. Jono opens its connections from the client,
 * closes them, and leaves the client open. The URL then contains only the type and Jono's options, such as {@code redis-oq:}.
 *
 * @apiNote Jono does not change the options of the client. Two are recommended. Without {@code
 *     DisconnectedBehavior.REJECT_COMMANDS}, Lettuce repeats commands by itself after a lost connection, and Jono may report a
 *     repeated ack as stale although it was done. Without {@code TimeoutOptions.enabled()}, Jono notices a lost answer only at
 *     the queue's operation timeout.
 */
public final class RedisStorage implements Storage {
    private final AbstractRedisClient client;
    private final @Nullable RedisURI uri;

    private RedisStorage(AbstractRedisClient client, @Nullable RedisURI uri) {
        this.client = Objects.requireNonNull(client, "client");
        this.uri = uri;
    }

    /** A client that was created with the URI of its server. */
    public static RedisStorage of(RedisClient client) {
        return new RedisStorage(client, null);
    }

    /** A client, and the server to connect to. */
    public static RedisStorage of(RedisClient client, RedisURI uri) {
        return new RedisStorage(client, Objects.requireNonNull(uri, "uri"));
    }

    /** A client of a Redis Cluster. */
    public static RedisStorage of(RedisClusterClient client) {
        return new RedisStorage(client, null);
    }

    AbstractRedisClient client() {
        return client;
    }

    @Nullable RedisURI uri() {
        return uri;
    }
}
