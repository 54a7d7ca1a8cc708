package dev.jono.support.redis;

import dev.jono.ConfigurationException;
import dev.jono.spi.ConnectionUrl;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Jono's options for Redis in a URL.
 *
 * @param prefix stands in front of every key and channel; empty by default
 * @param cluster whether the server is a Redis Cluster; also where the URL names several hosts
 * @param replicas how many replicas must confirm what is pushed, with {@code WAIT}; 0 asks none
 * @param timeout how long one command may take
 */
public record RedisOptions(String prefix, boolean cluster, int replicas, Duration timeout) {
    private static final Set<String> COMMON = Set.of("prefix", "cluster", "replicas", "timeout");
    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_.:{}@/+~#=-]{0,100}");
    private static final Pattern DRIVERS_TIMEOUT = Pattern.compile("[?&]timeout=");
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /**
     * Reads the options.
     *
     * @param extra the names of options that the plugin has beyond these
     * @throws ConfigurationException if one is unknown or wrong
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
            throw new ConfigurationException(
                    "option jono.prefix: '" + prefix + "' is not allowed: 100 letters, digits or _.-:{}@/+~#= at most");
        }
        return prefix;
    }

    private static boolean cluster(ConnectionUrl url) {
        String value = url.option("cluster");
        if (value == null) {
            return severalHosts(url.location());
        }
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new ConfigurationException(
                        "option jono.cluster: '" + value + "' is unknown: known are true and false");
        };
    }

    private static boolean severalHosts(String location) {
        int question = location.indexOf('?');
        String hosts = question < 0 ? location : location.substring(0, question);
        return hosts.matches("rediss?://.*")
                && hosts.substring(hosts.lastIndexOf('@') + 1).indexOf(',') >= 0;
    }

    private static int replicas(ConnectionUrl url) {
        String value = url.option("replicas");
        if (value == null) {
            return 0;
        }
        if (!value.matches("[0-9]{1,2}")) {
            throw new ConfigurationException(
                    "option jono.replicas: '" + value + "' is no number from 0 to 99: how many replicas must confirm");
        }
        return Integer.parseInt(value);
    }

    private static Duration timeout(ConnectionUrl url) {
        Duration ours = url.durationOption("timeout");
        if (ours != null) {
            if (ours.isZero()) {
                throw new ConfigurationException("option jono.timeout must be longer than zero");
            }
            return ours;
        }
        return driversTimeout(url.location());
    }

    /** The {@code timeout} of Lettuce's own, where the URL has one. */
    private static Duration driversTimeout(String location) {
        @Nullable Duration found = DRIVERS_TIMEOUT.matcher(location).find() ? Locations.timeout(location) : null;
        return found == null || found.isZero() ? TIMEOUT : found;
    }

    /** A plugin that shares the backend's connection has no options of its own. */
    static void refuseOwn(ConnectionUrl url) {
        for (String name : COMMON) {
            if (url.option(name) != null) {
                throw new ConfigurationException("option jono." + name + " in '" + url
                        + "': it shares the backend's connection, so this stands in the backend's URL");
            }
        }
    }
}
