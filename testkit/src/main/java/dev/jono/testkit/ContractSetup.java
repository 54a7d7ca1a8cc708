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
 * An empty storage location for one test: its URL, the capabilities to expect, and how its time passes. The one method
 * that a contract test implements returns it.
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
    private final PassingTime passing;

    private ContractSetup(Builder builder) {
        this.with = builder;
        this.passing = new PassingTime(builder.clock, builder.second);
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
     * @param url as for {@link QueueFactory#connect}; its location must be empty, and not be in use
     */
    public static Builder builder(String url) {
        return new Builder(url);
    }

    /** The capabilities that the backend must declare and that can be tested with this setup. */
    public Set<Capability> capabilities() {
        return capabilities;
    }

    /**
     * All capabilities that the backend must declare: {@link #capabilities}, and those that hold for some queues only.
     */
    Set<Capability> declared() {
        return with.capabilities;
    }

    /** The transactions of an application on this storage. */
    TestTransactions transactions() {
        if (with.transactions == null) {
            throw new IllegalStateException("the backend declares TRANSACTION, and the setup has no transactions(…)");
        }
        return with.transactions;
    }

    /** A builder for a client whose pushes can join {@link #transactions}. */
    QueueFactoryBuilder joiningClient() {
        TestTransactions all = transactions();
        return all.storage()
                .map(storage -> common(QueueFactory.builder(all.url()).storage(storage)))
                .orElseGet(this::client);
    }

    /** The clock that storage and clients share; empty if the storage has its own clock. */
    public Optional<SettableClock> clock() {
        return Optional.ofNullable(with.clock);
    }

    /** Whether a wrong clock of a client leaves the storage's time unchanged. */
    public boolean ownTime() {
        return with.ownTime;
    }

    /** Whether a client can have another signaller than the others and still share their stats. */
    boolean sharesStatsApartFromSignals() {
        return with.signaller == null && with.stats == null && with.wrapper == null;
    }

    /** Whether two queues can hold a message of the same id, as they do during a move of several steps. */
    boolean movesInSeveralSteps() {
        return !with.idInOneQueue;
    }

    /** The clock of the clients. */
    public JonoClock clientClock() {
        return with.clock != null ? with.clock : JonoClock.system();
    }

    /** The URL for another process; empty if no other process can reach the storage. */
    public Optional<String> otherProcessUrl() {
        return Optional.ofNullable(with.otherProcessUrl);
    }

    /** The namespace of the clients. */
    public String namespace() {
        return namespace;
    }

    /** A builder for one more client of the storage, which acts like another process. */
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

    /** A builder for a client that uses the storage through a wrapper. */
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
            // The settable clock jumps, while the storage needs real time: no call times out because of a jump.
            builder.queueDefaults(
                    QueueOptions.builder().operationTimeout(Duration.ofDays(1)).build());
        }
        return builder.namespace(namespace).clock(clientClock());
    }

    /** The URL of the plugin that an unwrapped client would use by default. */
    private String natural(Function<BackendProvider, Optional<String>> plugin, String inProcess) {
        BackendProvider provider = provider(ConnectionUrl.parse(with.url).type());
        // Nothing after the colon: the plugin shares the connection, and with it the options.
        return plugin.apply(provider).orElse(inProcess) + ":";
    }

    /** Opens the backend of the storage without the engine. The caller closes it. */
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
     * A duration that is long compared with a storage call, and short enough to wait for: a second if the clock is
     * settable, otherwise what the setup says.
     */
    public Duration seconds(double number) {
        return Duration.ofNanos((long) (with.second.toNanos() * number));
    }

    /** Lets storage time pass. */
    public void pass(Duration duration) {
        passing.pass(duration);
    }

    /**
     * Lets storage time pass until a condition holds.
     *
     * @param what the condition's name in the failure message
     * @param limit the most storage time that it may take
     */
    public void passUntil(String what, Duration limit, BooleanSupplier holds) {
        passing.passUntil(what, limit, holds);
    }

    /** As {@link #passUntil}, but a settable clock goes as fast as the real time: for what takes long to do. */
    void workUntil(String what, BooleanSupplier holds) {
        passing.workUntil(what, holds);
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
        private @Nullable TestTransactions transactions;
        private @Nullable UnaryOperator<Backend> wrapper;
        private Runnable onClose = () -> {};

        private Builder(String url) {
            this.url = url;
        }

        /** Sets the capabilities that the backend declares. It must refuse all others. */
        public Builder declares(Set<Capability> value) {
            this.capabilities = Set.copyOf(value);
            return this;
        }

        /**
         * Says that the backend declares {@link Capability#ATOMIC_MOVE}, but not between the queues of the tests,
         * because these are on different nodes of a cluster, for example.
         */
        public Builder queuesApart() {
            this.apart = true;
            return this;
        }

        /** The storage uses the client's {@link JonoClock}, which the tests move. */
        public Builder settable() {
            this.clock = new SettableClock();
            this.second = Duration.ofSeconds(1);
            this.ownTime = false;
            return this;
        }

        /**
         * Says whether a wrong clock of a client leaves the storage's time unchanged. By default it does in real time
         * only.
         */
        public Builder ownTime(boolean value) {
            this.ownTime = value;
            return this;
        }

        /**
         * The storage has its own clock, so that tests wait. This is the default, with 250 ms.
         *
         * @param value what the tests treat as a second; must be far longer than a storage call
         */
        public Builder realTime(Duration value) {
            this.clock = null;
            this.second = value;
            this.ownTime = true;
            return this;
        }

        /** Sets the URL for other processes. */
        public Builder otherProcessUrl(String value) {
            this.otherProcessUrl = value;
            return this;
        }

        /** Sets the signaller of the clients, instead of the default one. */
        public Builder signaller(String value) {
            this.signaller = value;
            return this;
        }

        /** Sets the stats of the clients, instead of the default ones. */
        public Builder stats(String value) {
            this.stats = value;
            return this;
        }

        /**
         * Says that an id is in one queue at a time, so that moves of several steps are neither possible nor needed.
         */
        public Builder idInOneQueue() {
            this.idInOneQueue = true;
            return this;
        }

        /** Sets how an application begins transactions on this storage; needed if the backend declares TRANSACTION. */
        public Builder transactions(TestTransactions value) {
            this.transactions = value;
            return this;
        }

        /** Wraps the backend, for tests of the testkit itself. */
        public Builder wrapped(UnaryOperator<Backend> value) {
            this.wrapper = value;
            return this;
        }

        /** Sets an action that runs after all clients are closed, and removes what is left of the location. */
        public Builder onClose(Runnable value) {
            this.onClose = value;
            return this;
        }

        /** Builds the setup. */
        public ContractSetup build() {
            return new ContractSetup(this);
        }
    }
}
