package dev.jono.micrometer;

import dev.jono.FactoryListener;
import dev.jono.Interceptor;
import dev.jono.Message;
import dev.jono.OutgoingMessage;
import dev.jono.PushResult;
import dev.jono.QueueFactory;
import dev.jono.QueueFactoryBuilder;
import dev.jono.StorageCallReport;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of the queues of a factory. Thread-safe.
 *
 * <pre>{@code
 * JonoMetrics metrics = JonoMetrics.builder(registry).build();
 * QueueFactory jono = metrics.addTo(QueueFactory.builder(url)).connect();
 * QueueDepths depths = metrics.watchDepths(jono);
 * }</pre>
 *
 * <p>The guide <i>Observability</i> lists the meters. Metrics of jobs are in {@link JonoJobMetrics}.
 */
public final class JonoMetrics {
    private final MeterRegistry registry;
    private final QueueTags tags;
    private final Duration depthInterval;
    private final Map<String, QueueMeters> meters = new ConcurrentHashMap<>();

    private JonoMetrics(Builder builder) {
        this.registry = builder.registry;
        this.tags = new QueueTags(builder.queueTag, builder.maxQueues);
        this.depthInterval = builder.depthInterval;
    }

    /** A builder of metrics that are registered with a registry. */
    public static Builder builder(MeterRegistry registry) {
        return new Builder(Objects.requireNonNull(registry, "registry"));
    }

    /** Adds the metrics to a factory that is not connected yet. Several factories can have the same metrics. */
    public QueueFactoryBuilder addTo(QueueFactoryBuilder factory) {
        return factory.listener(new Listener()).interceptor(new InProgress());
    }

    /**
     * Begins to read how many messages the queues of a factory hold, and how old the oldest is, at the interval that {@link
     * Builder#depthInterval} sets. The first read is at once.
     *
     * @return ends the reads when it is closed; close it before the factory
     */
    public QueueDepths watchDepths(QueueFactory factory) {
        return QueueDepths.start(factory, registry, tags, depthInterval);
    }

    private QueueMeters of(String queue) {
        String tag = tags.of(queue);
        QueueMeters known = meters.get(tag);
        return known != null ? known : meters.computeIfAbsent(tag, t -> new QueueMeters(registry, t));
    }

    /** Records calls and counts. */
    private final class Listener implements FactoryListener {
        @Override
        public void storageCall(StorageCallReport call) {
            of(call.queue()).call(call);
        }

        @Override
        public void pushed(String queue, long messages) {
            of(queue).count("push", messages);
        }

        @Override
        public void popped(String queue, long messages) {
            of(queue).count("pop", messages);
        }

        @Override
        public void reserved(String queue, long messages) {
            of(queue).count("reserve", messages);
        }

        @Override
        public void acked(String queue, long messages) {
            of(queue).count("ack", messages);
        }

        @Override
        public void retried(String queue, long messages) {
            of(queue).count("retry", messages);
        }

        @Override
        public void released(String queue, long messages) {
            of(queue).count("release", messages);
        }

        @Override
        public void deadLettered(String queue, long messages) {
            of(queue).count("dead_letter", messages);
        }
    }

    /** Counts pushes and handlers that have begun and not ended. */
    private final class InProgress implements Interceptor {
        @Override
        public OutgoingMessage push(OutgoingMessage message) {
            of(message.queue()).pending.incrementAndGet();
            return message;
        }

        @Override
        public void pushed(OutgoingMessage message, @Nullable PushResult result, @Nullable Throwable failure) {
            of(message.queue()).pending.decrementAndGet();
        }

        @Override
        public void handleAll(List<? extends Message<?>> messages, Handling handling) throws Exception {
            QueueMeters queue = of(messages.get(0).queue());
            queue.running.incrementAndGet();
            try {
                handling.proceed();
            } finally {
                queue.running.decrementAndGet();
            }
        }
    }

    /** Builds {@link JonoMetrics}; not thread-safe. */
    public static final class Builder {
        private static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);

        private final MeterRegistry registry;
        private UnaryOperator<String> queueTag = UnaryOperator.identity();
        private int maxQueues = 100;
        private Duration depthInterval = Duration.ofSeconds(15);

        private Builder(MeterRegistry registry) {
            this.registry = registry;
        }

        /**
         * Sets the value of the tag {@code queue} for the name of a queue. By default it is the name. Queues with the same value share
         * meters, for example {@code name -> name.replaceAll("-tenant-.*", "")}.
         *
         * <p>Jobs have one name for each type, not for each queue: <code>{jobs:mail}</code>, and <code>{jobs:mail}:failed</code> for
         * failed jobs.
         */
        public Builder queueTag(UnaryOperator<String> value) {
            this.queueTag = Objects.requireNonNull(value, "queueTag");
            return this;
        }

        /**
         * Sets the maximum number of different values of the tag {@code queue} for the application's own queues, and the same maximum for
         * those of jobs. Further ones become {@code other}. 100 by default.
         *
         * @throws IllegalArgumentException if it is less than 1
         */
        public Builder maxQueues(int value) {
            if (value < 1) {
                throw new IllegalArgumentException("maxQueues must be at least 1: " + value);
            }
            this.maxQueues = value;
            return this;
        }

        /**
         * Sets the time between two reads of {@link JonoMetrics#watchDepths}, which count all queues together. 15 s by default.
         *
         * @throws IllegalArgumentException if it is shorter than a second
         */
        public Builder depthInterval(Duration value) {
            if (value.compareTo(SHORTEST_INTERVAL) < 0) {
                throw new IllegalArgumentException("depthInterval must be at least 1 s: " + value);
            }
            this.depthInterval = value;
            return this;
        }

        /** Builds the metrics. */
        public JonoMetrics build() {
            return new JonoMetrics(this);
        }
    }
}
