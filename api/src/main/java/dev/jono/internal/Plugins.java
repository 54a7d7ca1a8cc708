package dev.jono.internal;

import dev.jono.BackendInfo;
import dev.jono.ConfigurationException;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.SignallerProvider;
import dev.jono.spi.StatsProvider;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds providers on the class path and the module path, by name. */
public final class Plugins {
    /** Artifacts to add for names that are not there. */
    private static final Map<String, String> ARTIFACTS = Map.ofEntries(
            Map.entry("sqlite", "dev.jono:jono-backend-sqlite"),
            Map.entry("redis-list", "dev.jono:jono-backend-redis-list"),
            Map.entry("redis-oq", "dev.jono:jono-backend-redis-oq"),
            Map.entry("mongo", "dev.jono:jono-backend-mongo"),
            Map.entry("pl-mongo", "dev.jono:jono-backend-mongo"),
            Map.entry("ps-mongo", "dev.jono:jono-backend-mongo"),
            Map.entry("bucket-mongo", "dev.jono:jono-backend-bucket-mongo"),
            Map.entry("bucket-mongo-safe", "dev.jono:jono-backend-bucket-mongo"),
            Map.entry("redis-pubsub", "dev.jono:jono-signal-redis-pubsub"),
            Map.entry("mongo-capped", "dev.jono:jono-signal-mongo-capped"),
            Map.entry("redis", "dev.jono:jono-stats-redis"));

    private final Map<String, BackendProvider> backends;
    private final Map<String, SignallerProvider> signallers;
    private final Map<String, StatsProvider> stats;

    private Plugins(
            Map<String, BackendProvider> backends,
            Map<String, SignallerProvider> signallers,
            Map<String, StatsProvider> stats) {
        this.backends = backends;
        this.signallers = signallers;
        this.stats = stats;
    }

    static Plugins load(@Nullable ClassLoader loader) {
        ClassLoader from = loader != null ? loader : Thread.currentThread().getContextClassLoader();
        if (from == null) {
            from = Plugins.class.getClassLoader();
        }
        return new Plugins(
                byName("backend", ServiceLoader.load(BackendProvider.class, from), BackendProvider::type),
                byName("signaller", ServiceLoader.load(SignallerProvider.class, from), SignallerProvider::type),
                byName("stats", ServiceLoader.load(StatsProvider.class, from), StatsProvider::type));
    }

    private static <P> Map<String, P> byName(String what, Iterable<P> found, Function<P, String> name) {
        Map<String, P> result = new TreeMap<>();
        for (P provider : found) {
            P other = result.putIfAbsent(name.apply(provider), provider);
            if (other != null) {
                throw new ConfigurationException("two " + what + " providers on the class path claim the name '"
                        + name.apply(provider) + "': " + other.getClass().getName() + " and "
                        + provider.getClass().getName() + "; remove one of them");
            }
        }
        return result;
    }

    /** The backends on the class path, sorted by name. */
    public static List<BackendInfo> describeBackends() {
        return load(null).backends.values().stream()
                .map(p -> BackendInfo.of(p.type(), p.capabilities()))
                .toList();
    }

    BackendProvider backend(String type) {
        return get("backend", backends, type);
    }

    SignallerProvider signaller(String type) {
        return get("signaller", signallers, type);
    }

    StatsProvider stats(String type) {
        return get("stats", stats, type);
    }

    boolean hasSignaller(String type) {
        return signallers.containsKey(type);
    }

    boolean hasStats(String type) {
        return stats.containsKey(type);
    }

    private static <P> P get(String what, Map<String, P> known, String type) {
        P provider = known.get(type);
        if (provider == null) {
            String artifact = ARTIFACTS.get(type);
            throw new ConfigurationException("no " + what + " '" + type + "' on the class path; found: "
                    + String.join(", ", known.keySet())
                    + (artifact == null ? "" : "; for '" + type + "' add the artifact " + artifact));
        }
        return provider;
    }
}
