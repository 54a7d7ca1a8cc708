package dev.jono.internal;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.CodecFactory;
import dev.jono.Durations;
import dev.jono.EditOutcome;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueCounts;
import dev.jono.QueueOptions;
import dev.jono.TypeRef;
import dev.jono.Worker;
import dev.jono.internal.concurrent.UninterruptibleWait;
import dev.jono.internal.core.QueueCore;
import dev.jono.internal.core.QueueSettings;
import dev.jono.internal.log.Log;
import dev.jono.internal.queue.CountsOfQueues;
import dev.jono.internal.queue.QueueImpl;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.internal.runtime.QueueScope;
import dev.jono.internal.settle.DeadLetters;
import dev.jono.internal.wake.CommitWatch;
import dev.jono.internal.wake.Poller;
import dev.jono.internal.wake.QueueSignals;
import dev.jono.internal.worker.WorkerBuilderImpl;
import dev.jono.internal.worker.Workers;
import dev.jono.spi.ConnectedFactory;
import dev.jono.spi.ConnectedWorkerBuilder;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A factory: opens queues, workers and pipelines over one set of connections. Called on the threads of users, with no lock
 * held. Thread-safe.
 */
final class FactoryImpl implements ConnectedFactory {
    private static final Log LOG = Log.named("dev.jono");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.:{}@/+~#=-]{1,200}");

    /** Names all queues in the exception of a call that concerns no single one. */
    static final String ALL_QUEUES = "*";

    private final Connections connections;
    private final EngineContext context;
    private final QueueOptions defaults;
    private final Map<String, QueueOptions> byName;
    private final CodecFactory codecs;
    private final QueueSettings defaultSettings;
    private final Poller poller;
    private final CommitWatch commits;
    private final Workers workers = new Workers();
    private final Companions companions = new Companions();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** The maximum number of held messages per key, by the name of a keyed queue that was opened. */
    private final Map<String, Integer> keyed = new ConcurrentHashMap<>();

    /** The cores in use. A core without queue object and waiter is garbage-collected. */
    private final Cache<Key, QueueCore> cores =
            Caffeine.newBuilder().weakValues().build();

    /** Queue objects with the same key share a core. The poll interval is not part of it: the first queue object sets it. */
    private record Key(
            String name,
            @Nullable String signaller,
            @Nullable String stats,
            @Nullable String pipeline,
            Duration history,
            int maxPerKey) {}

    FactoryImpl(Connections connections, FactoryConfig config) {
        this.connections = connections;
        this.context = connections.context();
        this.defaults = config.queueDefaults();
        this.byName = config.queueOptions();
        this.codecs = config.codecs();
        this.defaultSettings = QueueSettings.of(defaults);
        this.poller = new Poller(context);
        this.commits = new CommitWatch(context);
    }

    @Override
    public <T> MessageQueue<T> queue(String name, Class<T> type, QueueOptions options) {
        return queue(name, codec(type), options);
    }

    @Override
    public <T> MessageQueue<T> queue(String name, TypeRef<T> type, QueueOptions options) {
        return queue(name, codec(type.type()), options);
    }

    @Override
    public <T> MessageQueue<T> queue(String name, Codec<T> codec, QueueOptions options) {
        Objects.requireNonNull(codec, "codec");
        context.requireOpen(String.valueOf(name));
        QueueSettings settings = settings(String.valueOf(name), options);
        checkName(settings.deadLetter().queue());
        if (settings.maxPerKey() > 0) {
            context.require(Capability.KEYED, "keyed", name);
        }
        QueueCore core = core(name, settings, pipeline(name, settings), settings.maxPerKey());
        if (settings.maxPerKey() > 0) {
            keyed.put(name, settings.maxPerKey());
        }
        return new QueueImpl<>(core, settings, codec);
    }

    private QueueSettings settings(String name, QueueOptions options) {
        QueueOptions ofName = byName.getOrDefault(name, QueueOptions.none());
        return QueueSettings.of(options.orElse(ofName).orElse(defaults));
    }

    private void checkName(String name) {
        Objects.requireNonNull(name, "a queue's name must not be null");
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "queue name '" + (name.length() > 210 ? name.substring(0, 210) + "…" : name)
                            + "' is not allowed: 1 to 200 letters, digits or _ - . : { } @ / + ~ # =");
        }
        String refusal = context.backend.refuseName(name);
        if (refusal != null) {
            throw new IllegalArgumentException(
                    "queue name '" + name + "' is not allowed on " + context.backendType + ": " + refusal);
        }
    }

    /** The pipeline of a queue; null where the backend has none. */
    private @Nullable String pipeline(String name, QueueSettings settings) {
        OptionsCheck.option("pipeline", name, settings.pipeline(), own -> OptionsCheck.requirePipelines(context, own));
        return settings.pipeline() != null ? settings.pipeline() : context.backend.defaultPipeline();
    }

    /** Refuses options of the factory that no queue can be opened with. */
    void check(FactoryConfig config) {
        new OptionsCheck(context, connections, this::checkName).check(config);
    }

    /** The core of a queue that messages are moved to. */
    private QueueCore target(String name, @Nullable String pipeline) {
        QueueSettings settings = byName.containsKey(name) ? settings(name, QueueOptions.none()) : defaultSettings;
        return core(name, settings, pipeline, keyed.getOrDefault(name, settings.maxPerKey()));
    }

    private QueueCore core(String name, QueueSettings settings, @Nullable String pipeline, int maxPerKey) {
        checkName(name);
        Key key = new Key(name, settings.signaller(), settings.stats(), pipeline, settings.history(), maxPerKey);
        return Objects.requireNonNull(cores.get(key, k -> open(k, settings)));
    }

    private QueueCore open(Key key, QueueSettings settings) {
        Connections.Signals signals = connections.signals(settings.signaller());
        // Queue objects with different timeouts share the core, so its calls have the timeout of the factory.
        Duration callTimeout = defaultSettings.operationTimeout();
        Function<String, QueueCore> others = other -> target(other, key.pipeline());
        QueueStore store = context.backend.queue(spec(key.name(), key.pipeline(), settings, key.maxPerKey()));
        return new QueueCore(new QueueCore.Parts(
                new QueueScope(context, key.name(), store, callTimeout),
                settings.pollInterval(),
                connections.stats(settings.stats()),
                signals.signaller(),
                signals.carried(),
                poller,
                commits,
                key.pipeline(),
                others,
                DeadLetters::limit));
    }

    @Override
    public void wakeConsumers(MessageQueue<?> queue) {
        ((QueueImpl<?>) queue).handle.core.signals.becameDue(QueueSignals.DUE_NOW);
    }

    @Override
    public EditOutcome moveIdleUnchanged(MessageQueue<?> queue, String id, String toQueue) {
        return ((QueueImpl<?>) queue).moveIdleUnchanged(id, toQueue);
    }

    @Override
    public ConnectedWorkerBuilder worker() {
        context.requireOpen(ALL_QUEUES);
        return new WorkerBuilderImpl(context, workers);
    }

    @Override
    public List<Worker> workers() {
        return workers.running();
    }

    @Override
    public List<String> queues() {
        context.requireOpen(ALL_QUEUES);
        return UninterruptibleWait.answer(
                context.backend.queues().toCompletableFuture(),
                context.clock,
                defaultSettings.operationTimeout(),
                () -> new dev.jono.StorageException("the storage did not list its queues in time", null, null, null));
    }

    @Override
    public Map<String, QueueCounts> counts() {
        return CountsOfQueues.read(
                queues().stream().map(this::spec).toList(), context, defaultSettings.operationTimeout());
    }

    /** A queue with the options that the factory has for its name. */
    private QueueSpec spec(String name) {
        QueueSettings settings = settings(name, QueueOptions.none());
        return spec(name, pipeline(name, settings), settings, keyed.getOrDefault(name, settings.maxPerKey()));
    }

    private static QueueSpec spec(String name, @Nullable String pipeline, QueueSettings settings, int maxPerKey) {
        return QueueSpec.builder()
                .name(name)
                .pipeline(pipeline)
                .historyMillis(settings.history().toMillis())
                .maxPerKey(maxPerKey)
                .build();
    }

    @Override
    public MessageQueue<EncodedPayload> deadLetters() {
        return queue(defaultSettings.deadLetter().queue(), Codec.raw());
    }

    @Override
    public String backend() {
        return context.backendType;
    }

    @Override
    public PluginConfig companionConfig() {
        return connections.companionConfig();
    }

    @Override
    public Executor stepExecutor() {
        return connections.steps();
    }

    @Override
    public Set<Capability> capabilities() {
        return context.backend.traits().capabilities();
    }

    @Override
    public List<ClassLoader> pluginLoaders() {
        return connections.pluginLoaders();
    }

    @Override
    @SuppressWarnings("unchecked") // the codec of this type, as its factory promises
    public <T> Codec<T> codec(Type type) {
        return (Codec<T>) codecs.codec(Objects.requireNonNull(type, "type"));
    }

    @Override
    public Duration operationTimeout() {
        return defaultSettings.operationTimeout();
    }

    @Override
    public <T extends AutoCloseable> T companion(Class<T> type, Supplier<T> maker) {
        context.requireOpen(ALL_QUEUES);
        return companions.get(type, maker);
    }

    /**
     * Closes the factory in these steps: close the companions; stop the workers; refuse new calls ({@link EngineContext#close});
     * end all waits; wait for claims, give-backs, moves and lanes; repeat nothing any more ({@link EngineContext#end}); store the
     * last counters; disconnect. Each kind of wait takes up to the operation timeout.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        Duration timeout = defaultSettings.operationTimeout();
        companions.close();
        workers.close(context.clock, timeout);
        context.close();
        List<QueueCore> open = List.copyOf(cores.asMap().values());
        open.forEach(core -> core.consumers.close());
        long deadline = context.clock.nanos() + timeout.toNanos();
        for (QueueCore core : open) {
            if (!core.consumers.claimLoop.awaitLanded(deadline)) {
                LOG.warn(
                        "queue '{}': a claim, or messages that are given back, did not end in time; reserved messages return"
                                + " after their lease",
                        core.name);
            }
            awaitFinished(core, deadline);
            core.lanes().forEach(lane -> {
                if (!lane.awaitQuiet(deadline)) {
                    lane.failPending();
                }
            });
        }
        commits.close();
        context.end();
        poller.close();
        CompletableFuture<Void> flushed = connections.flushStats();
        try {
            UninterruptibleWait.answer(
                    flushed,
                    context.clock,
                    timeout,
                    () -> new IllegalStateException("not answered in " + Durations.format(timeout)));
        } catch (RuntimeException failure) {
            LOG.outage(context.outages, failure, "the last counters could not be stored");
        } finally {
            connections.close();
            RecordTypes.release();
        }
    }

    private void awaitFinished(QueueCore core, long deadline) {
        long remainingNanos = Math.max(0, deadline - context.clock.nanos());
        try {
            UninterruptibleWait.answer(
                    core.unfinished.finished(),
                    context.clock,
                    Duration.ofNanos(remainingNanos),
                    () -> new IllegalStateException("not done in time"));
        } catch (RuntimeException late) {
            LOG.outage(context.outages, late, "queue '{}': not all moves and give-backs ended in time", core.name);
        }
    }

    @Override
    public String toString() {
        return "factory on " + connections;
    }
}
