package dev.jono.internal;

import dev.jono.ConfigurationException;
import dev.jono.Storage;
import dev.jono.internal.concurrent.EngineClock;
import dev.jono.internal.concurrent.FactoryThreads;
import dev.jono.internal.concurrent.RetryingExecutor;
import dev.jono.internal.concurrent.Threads;
import dev.jono.internal.log.Log;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.internal.runtime.Listeners;
import dev.jono.internal.stats.StatsHub;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.Signaller;
import dev.jono.spi.SignallerProvider;
import dev.jono.spi.StatsProvider;
import dev.jono.spi.StatsStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * The backend, signallers and stats of a factory, and its threads. Opens those that the URLs name, or the defaults of the
 * backend, and closes them. Called by {@link FactoryImpl} on the threads of users. Thread-safe.
 */
final class Connections {
    private static final Log LOG = Log.named("dev.jono");

    private final FactoryConfig config;
    private final Plugins plugins;
    private final ConnectionUrl url;
    private final EngineClock clock;
    private final ExecutorService threads;
    private final Executor drivers;
    /** Threads for code of the application, unless it supplied its executor, and for {@link #steps}. */
    private final ExecutorService unbounded = Threads.forUsers();

    private final Executor steps;

    private final Backend backend;
    private final EngineContext context;
    private final Map<String, Signals> signallers = new ConcurrentHashMap<>();
    private final Map<String, StatsHub> stats = new ConcurrentHashMap<>();
    private final String signallerUrl;
    private final String statsUrl;

    /**
     * A signaller.
     *
     * @param carried whether the backend publishes the signals of inserts, in the same storage call
     */
    record Signals(Signaller signaller, boolean carried) {}

    /**
     * Opens the backend, the signaller and the stats of the factory.
     *
     * @param threads for blocking calls of the storage; shut down by {@link #close}
     */
    Connections(FactoryConfig config, ExecutorService threads) {
        this.config = config;
        this.plugins = Plugins.load(config.classLoader());
        BackendProvider provider;
        try {
            this.url = ConnectionUrl.parse(config.url());
            provider = plugins.backend(url.type());
        } catch (ConfigurationException refused) {
            throw new ConfigurationException("url", null, refused);
        }
        this.signallerUrl = chosen(
                config.signaller(),
                provider.defaultSignaller().filter(plugins::hasSignaller).orElse("local"));
        this.statsUrl = chosen(
                config.stats(),
                provider.defaultStats().filter(plugins::hasStats).orElse("mem"));
        this.clock = new EngineClock(config.clock());
        this.threads = threads;
        this.drivers = new RetryingExecutor(threads, clock.real());
        this.steps = new RetryingExecutor(unbounded, clock.real());
        Backend opened = null;
        try {
            opened = open(provider);
            this.backend = opened;
            this.context = new EngineContext(
                    clock,
                    opened,
                    url.type(),
                    new FactoryThreads(
                            Objects.requireNonNullElse(config.executor(), unbounded), drivers, threads, clock.real()),
                    config.interceptors(),
                    new Listeners(config.listeners()));
            OptionsCheck.option("signaller", null, signallerUrl, this::signals);
            OptionsCheck.option("stats", null, statsUrl, this::stats);
        } catch (RuntimeException | Error failure) {
            closeAll(opened);
            throw failure;
        }
        logChoice();
    }

    private Backend open(BackendProvider provider) {
        try {
            return provider.open(pluginConfig(url, config.storage()));
        } catch (ConfigurationException refused) {
            throw new ConfigurationException("url", null, refused);
        }
    }

    private static String chosen(@Nullable String explicit, String byDefault) {
        return explicit != null ? explicit : byDefault + ":";
    }

    private void logChoice() {
        LOG.info("{}: signaller {}, stats {}", url, ConnectionUrl.parse(signallerUrl), ConnectionUrl.parse(statsUrl));
        boolean shared = backend.traits().capabilities().contains(dev.jono.Capability.SHARED);
        if (shared
                && !plugins.signaller(ConnectionUrl.parse(signallerUrl).type()).shared()) {
            LOG.warn(
                    "{}: signaller '{}' stays in this process: consumers in other processes are not woken",
                    url,
                    ConnectionUrl.parse(signallerUrl));
        }
        if (shared && !plugins.stats(ConnectionUrl.parse(statsUrl).type()).shared()) {
            LOG.warn(
                    "{}: stats '{}' stay in this process: a pause does not reach other processes",
                    url,
                    ConnectionUrl.parse(statsUrl));
        }
    }

    private PluginConfig pluginConfig(ConnectionUrl where, @Nullable Storage storage) {
        return PluginConfig.builder()
                .url(where)
                .namespace(config.namespace())
                .clock(clock)
                .executor(drivers)
                .storage(storage)
                .build();
    }

    /** The settings of a signaller or of stats: they share the connection of the backend unless the URL names a server. */
    private PluginConfig companionConfig(ConnectionUrl where) {
        return pluginConfig(where, where.location().isEmpty() ? backend.storage() : null);
    }

    EngineContext context() {
        return context;
    }

    /** The settings of a plugin that shares the connection of the backend. */
    PluginConfig companionConfig() {
        return companionConfig(ConnectionUrl.parse(url.type() + ":"));
    }

    /** Threads for steps that wait for calls of the factory. */
    Executor steps() {
        return steps;
    }

    List<ClassLoader> pluginLoaders() {
        return plugins.loaders();
    }

    /** The signaller of a URL; of the factory if the URL is null. Opened at its first use. */
    Signals signals(@Nullable String explicit) {
        return signallers.computeIfAbsent(explicit == null ? signallerUrl : explicit, text -> {
            ConnectionUrl where = ConnectionUrl.parse(text);
            SignallerProvider provider = plugins.signaller(where.type());
            Signaller signaller = provider.open(companionConfig(where));
            return new Signals(signaller, backend.carries(signaller));
        });
    }

    /** The stats of a URL; of the factory if the URL is null. Opened at their first use. */
    StatsHub stats(@Nullable String explicit) {
        return stats.computeIfAbsent(explicit == null ? statsUrl : explicit, text -> {
            ConnectionUrl where = ConnectionUrl.parse(text);
            StatsProvider provider = plugins.stats(where.type());
            StatsStore store = provider.open(companionConfig(where));
            return new StatsHub(context, store);
        });
    }

    CompletableFuture<Void> flushStats() {
        return CompletableFuture.allOf(
                stats.values().stream().map(StatsHub::flush).toArray(CompletableFuture[]::new));
    }

    void close() {
        closeAll(backend);
    }

    private void closeAll(@Nullable Backend opened) {
        stats.values().forEach(StatsHub::close);
        List<AutoCloseable> all = new ArrayList<>();
        signallers.values().forEach(s -> all.add(s.signaller()));
        stats.values().forEach(s -> all.add(s.store()));
        if (opened != null) {
            all.add(opened);
        }
        all.forEach(Connections::closeQuietly);
        threads.shutdown();
        unbounded.shutdown();
        clock.close();
    }

    private static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception failure) {
            LOG.warn("{} did not close cleanly", closeable, failure);
        }
    }

    @Override
    public String toString() {
        return url.toString();
    }
}
