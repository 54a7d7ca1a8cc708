package dev.jono.internal;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.jono.Codec;
import dev.jono.CodecFactory;
import dev.jono.ConfigurationException;
import dev.jono.Durations;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.TypeRef;
import dev.jono.WorkerBuilder;
import dev.jono.internal.concurrent.UninterruptibleWait;
import dev.jono.internal.core.QueueCore;
import dev.jono.internal.core.QueueSettings;
import dev.jono.internal.log.Log;
import dev.jono.internal.queue.QueueImpl;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.internal.runtime.QueueScope;
import dev.jono.internal.settle.DeadLetters;
import dev.jono.internal.wake.Poller;
import dev.jono.internal.worker.WorkerBuilderImpl;
import dev.jono.internal.worker.Workers;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A factory: opens queues, workers and pipelines over one set of connections. Called on the threads of users, with no lock
 * held. Thread-safe.
 */
final class FactoryImpl implements QueueFactory {
    private static final Log LOG = Log.named("dev.jono");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.:{}@/+~#=-]{1,200}");

    /** Names all queues in the exception of a call that concerns no single one. */
    private static final String ALL_QUEUES = "*";

    private final Connections connections;
    private final EngineContext context;
    private final QueueOptions defaults;
    private final CodecFactory codecs;
    private final QueueSettings defaultSettings;
    private final Poller poller;
    private final Workers workers = new Workers();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** The cores in use. A core without queue object and waiter is garbage-collected. */
    private final Cache<Key, QueueCore> cores =
            Caffeine.newBuilder().weakValues().build();

    /** Queue objects with the same key share a core. The poll interval is not part of it: the first queue object sets it. */
    private record Key(
            String name,
            @Nullable String signaller,
            @Nullable String stats,
            @Nullable String pipeline,
            Duration history) {}

    FactoryImpl(Connections connections, QueueOptions defaults, CodecFactory codecs) {
        this.connections = connections;
        this.context = connections.context();
        this.defaults = defaults;
        this.codecs = codecs;
        this.defaultSettings = QueueSettings.of(defaults);
        this.poller = new Poller(context);
    }

    @Override
    public <T> MessageQueue<T> queue(String name, Class<T> type, QueueOptions options) {
        return queue(name, this.<T>codec(type), options);
    }

    @Override
    public <T> MessageQueue<T> queue(String name, TypeRef<T> type, QueueOptions options) {
        return queue(name, this.<T>codec(type.type()), options);
    }

    @SuppressWarnings("unchecked") // the codec of this type, as its factory promises
    private <T> Codec<T> codec(Type type) {
        return (Codec<T>) codecs.codec(Objects.requireNonNull(type, "type"));
    }

    @Override
    public <T> MessageQueue<T> queue(String name, Codec<T> codec, QueueOptions options) {
        Objects.requireNonNull(codec, "codec");
        context.requireOpen(String.valueOf(name));
        QueueSettings settings = QueueSettings.of(options.orElse(defaults));
        checkName(settings.deadLetter().queue());
        return new QueueImpl<>(core(name, settings, pipeline(name, settings)), settings, codec);
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
        String byDefault = context.backend.defaultPipeline();
        if (settings.pipeline() != null && byDefault == null) {
            throw new ConfigurationException("option pipeline '" + settings.pipeline() + "' of queue '" + name
                    + "': the backend " + context.backendType
                    + " does not separate pipelines; leave the option out, or use pl-mongo");
        }
        return settings.pipeline() != null ? settings.pipeline() : byDefault;
    }

    private QueueCore core(String name, QueueSettings settings, @Nullable String pipeline) {
        checkName(name);
        Key key = new Key(name, settings.signaller(), settings.stats(), pipeline, settings.history());
        return Objects.requireNonNull(cores.get(key, k -> open(k.name(), settings, pipeline)));
    }

    private QueueCore open(String name, QueueSettings settings, @Nullable String pipeline) {
        Connections.Signals signals = connections.signals(settings.signaller());
        // Queue objects with different timeouts share the core, so its calls have the timeout of the factory.
        Duration callTimeout = defaultSettings.operationTimeout();
        Function<String, QueueCore> others = other -> core(other, defaultSettings, pipeline);
        QueueStore store = context.backend.queue(QueueSpec.builder()
                .name(name)
                .pipeline(pipeline)
                .historyMillis(settings.history().toMillis())
                .build());
        return new QueueCore(new QueueCore.Parts(
                new QueueScope(context, name, store, callTimeout),
                settings.pollInterval(),
                connections.stats(settings.stats()),
                signals.signaller(),
                signals.carried(),
                poller,
                pipeline,
                others,
                DeadLetters::limit));
    }

    @Override
    public WorkerBuilder worker() {
        context.requireOpen(ALL_QUEUES);
        return new WorkerBuilderImpl(context, workers);
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
    public MessageQueue<EncodedPayload> deadLetters() {
        return queue(defaultSettings.deadLetter().queue(), Codec.raw());
    }

    @Override
    public String backend() {
        return context.backendType;
    }

    /**
     * Closes the factory in these steps: stop the workers; refuse new calls ({@link EngineContext#close}); end all waits; wait
     * for claims, give-backs, moves and lanes; repeat nothing any more ({@link EngineContext#end}); store the last counters;
     * disconnect. Each kind of wait takes up to the operation timeout.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        Duration timeout = defaultSettings.operationTimeout();
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
