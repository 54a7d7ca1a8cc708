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
import dev.jono.internal.settle.DeadLetters;
import dev.jono.internal.wake.Poller;
import dev.jono.internal.worker.WorkerBuilderImpl;
import dev.jono.internal.worker.Workers;
import dev.jono.spi.QueueSpec;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A factory: opens queues over one set of connections. Thread-safe. */
final class FactoryImpl implements QueueFactory {
    private static final Log LOG = Log.named("dev.jono");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.:{}@/+~#=-]{1,200}");

    private final Connections connections;
    private final EngineContext context;
    private final QueueOptions defaults;
    private final CodecFactory codecs;
    private final QueueSettings settings;
    private final Poller poller;
    private final Workers workers = new Workers();
    private final AtomicBoolean closed = new AtomicBoolean();

    /** Queues in use. A queue that has no queue object and no waiter is forgotten. */
    private final Cache<Key, QueueCore> cores =
            Caffeine.newBuilder().weakValues().build();

    /** Queue objects with the same key share a core. */
    private record Key(
            String name,
            @Nullable String signaller,
            @Nullable String stats,
            @Nullable String pipeline,
            long historyMillis) {}

    FactoryImpl(Connections connections, QueueOptions defaults, CodecFactory codecs) {
        this.connections = connections;
        this.context = connections.context();
        this.defaults = defaults;
        this.codecs = codecs;
        this.settings = QueueSettings.of(defaults);
        this.poller = new Poller(context);
    }

    @Override
    public <T> MessageQueue<T> queue(String name, Class<T> type) {
        return queue(name, type, QueueOptions.none());
    }

    @Override
    public <T> MessageQueue<T> queue(String name, Class<T> type, QueueOptions options) {
        return queue(name, this.<T>codec(type), options);
    }

    @Override
    public <T> MessageQueue<T> queue(String name, TypeRef<T> type) {
        return queue(name, type, QueueOptions.none());
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
    public <T> MessageQueue<T> queue(String name, Codec<T> codec) {
        return queue(name, codec, QueueOptions.none());
    }

    @Override
    public <T> MessageQueue<T> queue(String name, Codec<T> codec, QueueOptions options) {
        Objects.requireNonNull(codec, "codec");
        context.requireOpen(String.valueOf(name));
        QueueSettings own = QueueSettings.of(options.orElse(defaults));
        checkName(own.deadLetter().queue());
        return new QueueImpl<>(core(name, own, pipeline(name, own)), own, codec);
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
    private @Nullable String pipeline(String name, QueueSettings own) {
        String byDefault = context.backend.defaultPipeline();
        if (own.pipeline() != null && byDefault == null) {
            throw new ConfigurationException(
                    "option pipeline '" + own.pipeline() + "' of queue '" + name + "': the backend "
                            + context.backendType + " keeps no pipelines apart; leave it out, or use pl-mongo");
        }
        return own.pipeline() != null ? own.pipeline() : byDefault;
    }

    private QueueCore core(String name, QueueSettings own, @Nullable String pipeline) {
        checkName(name);
        Key key = new Key(
                name, own.signaller(), own.stats(), pipeline, own.history().toMillis());
        return Objects.requireNonNull(cores.get(key, k -> open(k.name(), own, pipeline)));
    }

    private QueueCore open(String name, QueueSettings own, @Nullable String pipeline) {
        Connections.Signals signals = connections.signals(own.signaller());
        return new QueueCore(new QueueCore.Parts(
                context,
                name,
                context.backend.queue(QueueSpec.builder()
                        .name(name)
                        .pipeline(pipeline)
                        .historyMillis(own.history().toMillis())
                        .build()),
                settings.operationTimeout(),
                own.pollInterval(),
                connections.stats(own.stats()),
                signals.signaller(),
                signals.carried(),
                poller,
                pipeline,
                other -> core(other, settings, pipeline),
                DeadLetters::limit));
    }

    @Override
    public WorkerBuilder worker() {
        context.requireOpen("*");
        return new WorkerBuilderImpl(context, workers);
    }

    @Override
    public List<String> queues() {
        context.requireOpen("*");
        return UninterruptibleWait.answer(
                context.backend.queues().toCompletableFuture(),
                context.clock,
                settings.operationTimeout(),
                () -> new dev.jono.StorageException("the storage did not list its queues in time", null, null, null));
    }

    @Override
    public MessageQueue<EncodedPayload> deadLetters() {
        return queue(settings.deadLetter().queue(), Codec.raw());
    }

    @Override
    public String backend() {
        return context.backendType;
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        Duration timeout = settings.operationTimeout();
        workers.close(context.clock, timeout);
        context.close();
        List<QueueCore> open = List.copyOf(cores.asMap().values());
        open.forEach(core -> core.consumers.close());
        long deadline = context.clock.nanos() + timeout.toNanos();
        for (QueueCore core : open) {
            if (!core.consumers.claimLoop.awaitLanded(deadline)) {
                LOG.warn("a claim of queue '{}' is not answered; its messages return after their lease", core.name);
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
            RecordTypes.forget();
        }
    }

    private void awaitFinished(QueueCore core, long deadline) {
        long left = Math.max(0, deadline - context.clock.nanos());
        try {
            UninterruptibleWait.answer(
                    core.unfinished.finished(),
                    context.clock,
                    Duration.ofNanos(left),
                    () -> new IllegalStateException("not done in time"));
        } catch (RuntimeException late) {
            LOG.outage(
                    context.outages,
                    late,
                    "not all moves and messages to give back of queue '{}' could be finished",
                    core.name);
        }
    }

    @Override
    public String toString() {
        return "factory on " + connections;
    }
}
