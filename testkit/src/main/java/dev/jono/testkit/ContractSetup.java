package dev.jono.testkit;

import dev.jono.Capability;
import dev.jono.JonoClock;
import dev.jono.QueueFactory;
import dev.jono.QueueFactoryBuilder;
import dev.jono.QueueOptions;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A fresh, empty storage location for one test: how to reach it, what it declares, and how its time passes. Made by the
 * one method that a contract test implements.
 *
 * <pre>{@code
 * ContractSetup.builder("sqlite:" + file).declares(EnumSet.allOf(Capability.class)).settable().build();
 * ContractSetup.builder("redis-oq:" + uri).declares(...).realTime(Duration.ofMillis(250)).build();
 * }</pre>
 */
public final class ContractSetup implements AutoCloseable {
    private final Builder with;
    private final Set<Capability> capabilities;
    private final String namespace = "N" + UUID.randomUUID().toString().substring(0, 8);
    private final List<String> wrappings = new ArrayList<>();
    private final ExecutorService executor;
    private final Passing passing;

    private ContractSetup(Builder builder) {
        this.with = builder;
        this.passing = new Passing(builder.clock, builder.second);
        EnumSet<Capability> tested = EnumSet.noneOf(Capability.class);
        tested.addAll(builder.capabilities);
        if (builder.apart) {
            tested.remove(Capability.ATOMIC_MOVE);
        }
        this.capabilities = Set.copyOf(tested);
        this.executor = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "testkit-driver");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * A setup for this storage.
     *
     * @param url such as {@link QueueFactory#connect} takes; its location must be empty, and used by nobody else
     */
    public static Builder builder(String url) {
        return new Builder(url);
    }

    /** What can be tested here of what the backend declares, or should. */
    public Set<Capability> capabilities() {
        return capabilities;
    }

    /** What the backend declares, or should: {@link #capabilities}, and what it can do only for some queues. */
    Set<Capability> declared() {
        return with.capabilities;
    }

    /** The clock that storage and clients share; empty where the storage keeps its own time. */
    public Optional<SettableClock> clock() {
        return Optional.ofNullable(with.clock);
    }

    /** Whether a client whose clock is wrong leaves the storage's time alone. */
    public boolean ownTime() {
        return with.ownTime;
    }

    /** Whether a client may be given other signals than the rest and still share their stats. */
    boolean sharesStatsApartFromSignals() {
        return with.signaller == null && with.stats == null && with.wrapper == null;
    }

    /** Whether a message can be in two queues under one id, as it is in the middle of a move of several steps. */
    boolean movesInSeveralSteps() {
        return !with.idInOneQueue;
    }

    /** The clock of this setup's clients. */
    public JonoClock clientClock() {
        return with.clock != null ? with.clock : JonoClock.system();
    }

    /** The URL by which another process reaches the storage; empty where none can. */
    public Optional<String> otherProcessUrl() {
        return Optional.ofNullable(with.otherProcessUrl);
    }

    /** The namespace of this setup's clients. */
    public String namespace() {
        return namespace;
    }

    /** A builder for one more client of the storage, as another process would be one. */
    public QueueFactoryBuilder client() {
        if (with.wrapper != null) {
            return client(UnaryOperator.identity());
        }
        QueueFactoryBuilder builder = common(QueueFactory.builder(with.url));
        if (with.signaller != null) {
            builder.signaller(with.signaller);
        }
        if (with.stats != null) {
            builder.stats(with.stats);
        }
        return builder;
    }

    /** A builder for a client that sees the storage through a wrapper. */
    public QueueFactoryBuilder client(UnaryOperator<Backend> wrapper) {
        UnaryOperator<Backend> own = with.wrapper;
        String key = WrappedBackendProvider.register(
                with.url, own == null ? wrapper : backend -> wrapper.apply(own.apply(backend)));
        synchronized (wrappings) {
            wrappings.add(key);
        }
        return common(QueueFactory.builder(WrappedBackendProvider.TYPE + ":" + key))
                .classLoader(WrappedBackendProvider.loader())
                .signaller(
                        with.signaller != null ? with.signaller : natural(BackendProvider::defaultSignaller, "local"))
                .stats(with.stats != null ? with.stats : natural(BackendProvider::defaultStats, "mem"));
    }

    private QueueFactoryBuilder common(QueueFactoryBuilder builder) {
        if (with.clock != null) {
            // This time moves in leaps, and the storage's work takes real time: no call is late for that.
            builder.queueDefaults(
                    QueueOptions.builder().operationTimeout(Duration.ofDays(1)).build());
        }
        return builder.namespace(namespace).clock(clientClock());
    }

    /** The URL of the plugin that fits the storage: what an unwrapped client would use. */
    private String natural(Function<BackendProvider, Optional<String>> plugin, String inProcess) {
        BackendProvider provider = provider(ConnectionUrl.parse(with.url).type());
        // Nothing behind the colon: it shares the connection, and with it the options.
        return plugin.apply(provider).orElse(inProcess) + ":";
    }

    /** The bare backend on the storage; the caller closes it. */
    public Backend openBackend() {
        ConnectionUrl url = ConnectionUrl.parse(with.url);
        Backend backend = provider(url.type())
                .open(PluginConfig.builder()
                        .url(url)
                        .namespace(namespace)
                        .clock(clientClock())
                        .executor(executor)
                        .build());
        return with.wrapper == null ? backend : with.wrapper.apply(backend);
    }

    static BackendProvider provider(String type) {
        for (BackendProvider provider : java.util.ServiceLoader.load(BackendProvider.class)) {
            if (provider.type().equals(type)) {
                return provider;
            }
        }
        throw new IllegalStateException("no backend '" + type + "' on the class path");
    }

    /**
     * A duration that is long beside a call to the storage, and short enough to wait for: a second where the clock is
     * settable, else what the setup says.
     */
    public Duration seconds(double number) {
        return Duration.ofNanos((long) (with.second.toNanos() * number));
    }

    /** Lets time pass. */
    public void pass(Duration duration) {
        passing.pass(duration);
    }

    /**
     * Lets time pass until something holds.
     *
     * @param what names it in the failure
     * @param limit how much of the storage's time it may take
     */
    public void passUntil(String what, Duration limit, BooleanSupplier holds) {
        passing.passUntil(what, limit, holds);
    }

    @Override
    public void close() {
        executor.shutdownNow();
        synchronized (wrappings) {
            wrappings.forEach(WrappedBackendProvider::forget);
        }
        with.onClose.run();
    }

    /** Builds a {@link ContractSetup}; not thread-safe. */
    public static final class Builder {
        private final String url;
        private Set<Capability> capabilities = EnumSet.noneOf(Capability.class);
        private @Nullable SettableClock clock;
        private Duration second = Duration.ofMillis(250);
        private boolean ownTime = true;
        private boolean apart;
        private @Nullable String otherProcessUrl;
        private @Nullable String signaller;
        private @Nullable String stats;
        private boolean idInOneQueue;
        private @Nullable UnaryOperator<Backend> wrapper;
        private Runnable onClose = () -> {};

        private Builder(String url) {
            this.url = url;
        }

        /** What the backend declares: the tests of all else check that it refuses. */
        public Builder declares(Set<Capability> value) {
            this.capabilities = Set.copyOf(value);
            return this;
        }

        /**
         * The backend can {@link Capability#ATOMIC_MOVE}, but not between the queues of the tests: they are kept apart,
         * such as on different nodes of a cluster.
         */
        public Builder queuesApart() {
            this.apart = true;
            return this;
        }

        /** The storage's time is the client's {@link JonoClock}: tests move it. */
        public Builder settable() {
            this.clock = new SettableClock();
            this.second = Duration.ofSeconds(1);
            this.ownTime = false;
            return this;
        }

        /** Whether a client whose clock is wrong leaves the storage's time alone; by default only in real time. */
        public Builder ownTime(boolean value) {
            this.ownTime = value;
            return this;
        }

        /**
         * The storage keeps its own time: tests wait. The default, with a quarter of a second.
         *
         * @param value what tests take for a second: far longer than a call to the storage, or they fail
         */
        public Builder realTime(Duration value) {
            this.clock = null;
            this.second = value;
            this.ownTime = true;
            return this;
        }

        /** The URL by which other processes reach this location. */
        public Builder otherProcessUrl(String value) {
            this.otherProcessUrl = value;
            return this;
        }

        /** Which signaller clients use, if not the natural one. */
        public Builder signaller(String value) {
            this.signaller = value;
            return this;
        }

        /** Which stats clients use, if not the natural ones. */
        public Builder stats(String value) {
            this.stats = value;
            return this;
        }

        /** An id is in one queue at a time, so that moves of several steps are impossible, and none is ever needed. */
        public Builder idInOneQueue() {
            this.idInOneQueue = true;
            return this;
        }

        /** Puts something between the storage and whoever uses it; for tests of the tests. */
        public Builder wrapped(UnaryOperator<Backend> value) {
            this.wrapper = value;
            return this;
        }

        /** Runs at the end, when all clients are closed: removes what the location left behind. */
        public Builder onClose(Runnable value) {
            this.onClose = value;
            return this;
        }

        /** The finished setup. */
        public ContractSetup build() {
            return new ContractSetup(this);
        }
    }
}
