package dev.jono.internal;

import dev.jono.BackendInfo;
import dev.jono.ConfigurationException;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.SignallerProvider;
import dev.jono.spi.StatsProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the providers of backends, signallers and stats on the class path and the module path, by name. Used when a factory is
 * opened, on the thread of the user. Immutable.
 */
public final class Plugins {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono");
    /** After this many failures the search ends: a broken services file can fail without end. */
    private static final int MAX_FAILURES = 100;

    private static final String STATS = "stats";

    /** The artifact that contains each provider; exceptions name it if the provider is not found. */
    private static final Map<String, String> ARTIFACTS = Map.ofEntries(
            Map.entry("sqlite", "dev.jono:jono-backend-sqlite"),
            Map.entry("redis-list", "dev.jono:jono-backend-redis-list"),
            Map.entry("redis-oq", "dev.jono:jono-backend-redis-oq"),
            Map.entry("mongo", "dev.jono:jono-backend-mongo"),
            Map.entry("pl-mongo", "dev.jono:jono-backend-mongo"),
            Map.entry("ps-mongo", "dev.jono:jono-backend-mongo"),
            Map.entry("bucket-mongo", "dev.jono:jono-backend-bucket-mongo"),
            Map.entry("bucket-mongo-safe", "dev.jono:jono-backend-bucket-mongo"),
            Map.entry("postgres", "dev.jono:jono-postgres"),
            Map.entry("keuss-postgres", "dev.jono:jono-backend-keuss-postgres"),
            Map.entry("redis-pubsub", "dev.jono:jono-signal-redis-pubsub"),
            Map.entry("mongo-capped", "dev.jono:jono-signal-mongo-capped"),
            Map.entry("redis", "dev.jono:jono-stats-redis"));

    /** For each scheme of a driver's URI, the part that the names of the matching plugins have in common. */
    private static final Map<String, String> SCHEMES = Map.of(
            "redis", "redis",
            "rediss", "redis",
            "redis-socket", "redis",
            "redis-sentinel", "redis",
            "rediss-sentinel", "redis",
            "mongodb", "mongo",
            "mongodb+srv", "mongo",
            "postgresql", "postgres",
            "jdbc", "postgres");

    private final Map<String, BackendProvider> backends;
    private final Map<String, SignallerProvider> signallers;
    private final Map<String, StatsProvider> stats;
    private final List<ClassLoader> loaders;
    /** The text of exceptions: the class loaders that were searched, and the providers that could not be used. */
    private final String searched;

    private Plugins(Map<String, ClassLoader> loaders) {
        this.loaders = List.copyOf(loaders.values());
        List<String> unusable = new ArrayList<>();
        this.backends = find("backend", BackendProvider.class, BackendProvider::type, loaders, unusable);
        this.signallers = find("signaller", SignallerProvider.class, SignallerProvider::type, loaders, unusable);
        this.stats = find(STATS, StatsProvider.class, StatsProvider::type, loaders, unusable);
        StringBuilder text = new StringBuilder("; class loaders asked: ");
        loaders.forEach((whose, loader) -> text.append(text.charAt(text.length() - 1) == ' ' ? "" : ", ")
                .append(whose)
                .append(" (")
                .append(loader)
                .append(')'));
        unusable.forEach(what -> text.append("; not usable: ").append(what));
        this.searched = text.toString();
    }

    /**
     * Finds the plugins of the given class loader. If none is given, searches the context class loader of the thread, and then
     * the class loader of Jono: in threads of common pools, the context class loader does not see the jars of a web application
     * or a fat jar. Plugins of the first loader take precedence.
     */
    static Plugins load(@Nullable ClassLoader given) {
        Map<String, ClassLoader> loaders = new LinkedHashMap<>();
        if (given != null) {
            loaders.put("the one given", given);
            return new Plugins(loaders);
        }
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        if (context != null) {
            loaders.put("the thread's context", context);
        }
        ClassLoader own = Plugins.class.getClassLoader();
        if (own != null && own != context) {
            loaders.put("Jono's own", own);
        }
        return new Plugins(loaders);
    }

    private static <P> Map<String, P> find(
            String what,
            Class<P> service,
            Function<P, String> name,
            Map<String, ClassLoader> loaders,
            List<String> unusable) {
        Map<String, P> result = new TreeMap<>();
        for (ClassLoader loader : loaders.values()) {
            byName(what, usable(service, loader, unusable), name).forEach(result::putIfAbsent);
        }
        return result;
    }

    /** Providers of a loader that has its own copy of Jono belong to that copy, and cannot be used. */
    private static <P> List<P> usable(Class<P> service, ClassLoader loader, List<String> unusable) {
        List<P> result = new ArrayList<>();
        Iterator<P> found = ServiceLoader.load(service, loader).iterator();
        for (int failures = 0; failures < MAX_FAILURES; ) {
            try {
                if (!found.hasNext()) {
                    break;
                }
                result.add(found.next());
            } catch (ServiceConfigurationError broken) {
                failures++;
                LOG.debug("a plugin of {} cannot be used", loader, broken);
                unusable.add(String.valueOf(broken.getMessage()));
            }
        }
        return result;
    }

    private static <P> Map<String, P> byName(String what, List<P> found, Function<P, String> name) {
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

    /** The class loaders that were searched, in their order. */
    List<ClassLoader> loaders() {
        return loaders;
    }

    BackendProvider backend(String type) {
        return get("backend", backends, type);
    }

    SignallerProvider signaller(String type) {
        return get("signaller", signallers, type);
    }

    StatsProvider stats(String type) {
        return get(STATS, stats, type);
    }

    boolean hasSignaller(String type) {
        return signallers.containsKey(type);
    }

    boolean hasStats(String type) {
        return stats.containsKey(type);
    }

    private <P> P get(String what, Map<String, P> known, String type) {
        P provider = known.get(type);
        if (provider == null) {
            throw new ConfigurationException("no " + what + " '" + type + "' on the class path; found: "
                    + String.join(", ", known.keySet()) + advice(what, known, type) + searched);
        }
        return provider;
    }

    private static String advice(String what, Map<String, ?> known, String type) {
        String family = SCHEMES.get(type);
        if (family != null && !(what.equals(STATS) && type.equals("redis"))) {
            String names = known.keySet().stream()
                    .filter(name -> name.contains(family))
                    .map(name -> name + ":" + (type.equals("jdbc") ? "jdbc:postgresql" : type) + "://…")
                    .collect(Collectors.joining(", "));
            return names.isEmpty()
                    ? "; add the artifact dev.jono:jono-" + family
                    : "; the name of a " + what + " stands before the driver's URI: " + names;
        }
        String artifact = ARTIFACTS.get(type);
        return artifact == null ? "" : "; for '" + type + "' add the artifact " + artifact;
    }
}
