package dev.jono.support.redis;

import dev.jono.ConfigurationException;
import dev.jono.spi.ConnectionUrl;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Jono's options for Redis in a URL.
 *
 * @param prefix the beginning of every key and channel; empty by default
 * @param cluster whether the server is a Redis Cluster; by default, whether the URL names several hosts
 * @param replicas how many replicas must confirm a push, by {@code WAIT}; 0 for none
 * @param timeout how long one command may take
 */
public record RedisOptions(String prefix, boolean cluster, int replicas, Duration timeout) {
    /** An option of backends only. */
    static final String REPLICAS = "replicas";

    private static final String CLUSTER = "cluster";
    private static final String OWN_TIMEOUT = "timeout";

    private static final Set<String> COMMON = Set.of("prefix", CLUSTER, OWN_TIMEOUT);
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_.:{}@/+~#=-]{0,100}");
    /** How the keys after a prefix begin. */
    private static final Pattern KEY_START = Pattern.compile("keuss:|jono:(oq|list|jobs):");

    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    /**
     * Reads the options.
     *
     * @param extra names of the plugin's own options
     * @throws ConfigurationException if an option of Jono or Lettuce is unknown or wrong
     */
    public static RedisOptions parse(ConnectionUrl url, Set<String> extra) {
        Set<String> known = new HashSet<>(COMMON);
        known.addAll(extra);
        url.refuseUnknownOptions(known);
        return new RedisOptions(prefix(url), cluster(url), replicas(url), timeout(url));
    }

    private static String prefix(ConnectionUrl url) {
        String prefix = url.option("prefix");
        if (prefix == null) {
            return "";
        }
        if (!PREFIX.matcher(prefix).matches()) {
            throw new ConfigurationException("option jono.prefix: '" + prefix
                    + "' is not allowed: use at most 100 letters, digits and characters of _.-:{}@/+~#=");
        }
        if (KEY_START.matcher(prefix).find()) {
            throw new ConfigurationException("option jono.prefix: '" + prefix
                    + "' contains a text with which keys begin, so that two queues could have the same key: choose one without"
                    + " keuss:, jono:oq:, jono:list: and jono:jobs:");
        }
        return prefix;
    }

    private static boolean cluster(ConnectionUrl url) {
        String value = url.option(CLUSTER);
        if (value == null) {
            return RedisUris.namesSeveralNodes(url);
        }
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new ConfigurationException(
                        "option jono.cluster: '" + value + "' is unknown: known are true and false");
        };
    }

    private static int replicas(ConnectionUrl url) {
        String value = url.option(REPLICAS);
        if (value == null) {
            return 0;
        }
        if (!value.matches("[0-9]{1,2}")) {
            throw new ConfigurationException("option jono.replicas: '" + value
                    + "' is not a number from 0 to 99: how many replicas must confirm a push");
        }
        return Integer.parseInt(value);
    }

    private static Duration timeout(ConnectionUrl url) {
        Duration own = url.positiveDurationOption(OWN_TIMEOUT);
        Duration lettuce = RedisUris.timeout(url);
        if (own != null && lettuce != null) {
            throw new ConfigurationException("'" + url
                    + "' has the options timeout and jono.timeout, which mean the same: leave one of them out");
        }
        return own != null ? own : lettuce != null ? lettuce : DEFAULT_TIMEOUT;
    }

    /** Refuses the options of a connection in the URL of a plugin that shares the backend's connection. */
    static void refuseOwn(ConnectionUrl url) {
        url.refuseConnectionOptions(COMMON);
    }

    /** Refuses the option that the application's client decides. */
    static void refuseForClient(ConnectionUrl url) {
        if (url.option(CLUSTER) != null) {
            throw new ConfigurationException("option jono.cluster in '" + url
                    + "': the Redis client that was handed in decides that; leave the option out");
        }
    }
}
