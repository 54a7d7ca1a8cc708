package dev.jono.support.redis;

import dev.jono.ConfigurationException;
import dev.jono.spi.ConnectionUrl;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lettuce's URIs out of Jono's. What goes wrong here is told without the URI, which may hold a password. */
final class Locations {
    private static final String DEFAULT = "redis://localhost:6379";

    private Locations() {}

    /** The server of a URL: one node, or Sentinels and the name of what they watch. */
    static RedisURI single(ConnectionUrl url) {
        try {
            return RedisURI.create(location(url));
        } catch (IllegalArgumentException e) {
            throw wrong(url, e);
        }
    }

    /** The nodes of a Cluster that a URL names. */
    static List<RedisURI> nodes(ConnectionUrl url) {
        try {
            return RedisClusterURIUtil.toRedisURIs(URI.create(location(url)));
        } catch (IllegalArgumentException e) {
            throw wrong(url, e);
        }
    }

    static @Nullable Duration timeout(String location) {
        try {
            return RedisURI.create(location).getTimeout();
        } catch (IllegalArgumentException e) {
            return null; // Told when the connection is opened, by a message that hides the password.
        }
    }

    private static String location(ConnectionUrl url) {
        return url.location().isEmpty() ? DEFAULT : url.location();
    }

    private static ConfigurationException wrong(ConnectionUrl url, IllegalArgumentException cause) {
        // Not as the cause: its text may repeat the password.
        return new ConfigurationException(
                "'" + url + "' names no Redis (" + cause.getClass().getSimpleName()
                        + "): expected a form such as " + url.type()
                        + ":redis://user:password@host:6379/0, or rediss:// for TLS,"
                        + " redis-socket:///path, redis-sentinel://host:26379/0#master, redis://host1:7000,host2:7000 for a Cluster");
    }
}
