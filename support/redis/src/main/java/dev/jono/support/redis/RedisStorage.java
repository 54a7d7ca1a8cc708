package dev.jono.support.redis;

import dev.jono.Storage;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An application's own Lettuce client, for {@code QueueFactoryBuilder.storage}. Jono opens its connections from it,
 * closes those, and leaves the client open. The URL then gives the type and Jono's options alone: {@code redis-oq:}.
 *
 * @apiNote Jono does not change the options of a client that is not its own. It should have {@code
 *     DisconnectedBehavior.REJECT_COMMANDS}: otherwise Lettuce repeats commands by itself after a lost connection, and
 *     an acknowledgement that was repeated so may be reported as stale although it was done. And {@code
 *     TimeoutOptions.enabled()}: otherwise a lost reply is noticed at the queue's operation timeout alone.
 */
public final class RedisStorage implements Storage {
    private final AbstractRedisClient client;
    private final @Nullable RedisURI uri;

    private RedisStorage(AbstractRedisClient client, @Nullable RedisURI uri) {
        this.client = Objects.requireNonNull(client, "client");
        this.uri = uri;
    }

    /** A client that was made with the URI of its server. */
    public static RedisStorage of(RedisClient client) {
        return new RedisStorage(client, null);
    }

    /** A client, and the server to connect to with it. */
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
