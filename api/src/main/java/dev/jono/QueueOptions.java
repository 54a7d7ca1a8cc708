package dev.jono;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Options of a queue. An option that is not set comes from the factory's queue defaults, and otherwise has the default that
 * its method names. Immutable.
 *
 * <pre>{@code
 * QueueOptions options = QueueOptions.builder()
 *         .lease(Duration.ofMinutes(2))
 *         .deadLetter(DeadLetter.after(5).queue("failed-mails"))
 *         .backoff(Backoff.exponential(Duration.ofSeconds(1), 2, Duration.ofMinutes(5), 0.1))
 *         .build();
 * MessageQueue<String> mails = jono.queue("mails", String.class, options);
 * }</pre>
 */
public final class QueueOptions {
    private static final QueueOptions NONE = builder().build();

    private final @Nullable Duration lease;
    private final @Nullable Duration pollInterval;
    private final @Nullable Duration operationTimeout;
    private final @Nullable Duration history;
    private final @Nullable DeadLetter deadLetter;
    private final @Nullable Backoff backoff;
    private final @Nullable Boolean ordered;
    private final @Nullable Integer keyed;
    private final @Nullable Integer maxPayloadBytes;
    private final @Nullable Integer maxPendingMessages;
    private final @Nullable Long maxPendingBytes;
    private final @Nullable String consumer;
    private final @Nullable String signaller;
    private final @Nullable String stats;
    private final @Nullable String pipeline;

    private QueueOptions(Builder b) {
        this.lease = b.lease;
        this.pollInterval = b.pollInterval;
        this.operationTimeout = b.operationTimeout;
        this.history = b.history;
        this.deadLetter = b.deadLetter;
        this.backoff = b.backoff;
        this.ordered = b.ordered;
        this.keyed = b.keyed;
        this.maxPayloadBytes = b.maxPayloadBytes;
        this.maxPendingMessages = b.maxPendingMessages;
        this.maxPendingBytes = b.maxPendingBytes;
        this.consumer = b.consumer;
        this.signaller = b.signaller;
        this.stats = b.stats;
        this.pipeline = b.pipeline;
    }

    /** Options of which none is set. */
    public static QueueOptions none() {
        return NONE;
    }

    /** A new builder; no option is set. */
    public static Builder builder() {
        return new Builder();
    }

    /** These options, and those of {@code defaults} that are not set here. */
    public QueueOptions orElse(QueueOptions defaults) {
        Builder b = builder();
        b.lease = lease != null ? lease : defaults.lease;
        b.pollInterval = pollInterval != null ? pollInterval : defaults.pollInterval;
        b.operationTimeout = operationTimeout != null ? operationTimeout : defaults.operationTimeout;
        b.history = history != null ? history : defaults.history;
        b.deadLetter = deadLetter != null ? deadLetter : defaults.deadLetter;
        b.backoff = backoff != null ? backoff : defaults.backoff;
        b.ordered = ordered != null ? ordered : defaults.ordered;
        b.keyed = keyed != null ? keyed : defaults.keyed;
        b.maxPayloadBytes = maxPayloadBytes != null ? maxPayloadBytes : defaults.maxPayloadBytes;
        b.maxPendingMessages = maxPendingMessages != null ? maxPendingMessages : defaults.maxPendingMessages;
        b.maxPendingBytes = maxPendingBytes != null ? maxPendingBytes : defaults.maxPendingBytes;
        b.consumer = consumer != null ? consumer : defaults.consumer;
        b.signaller = signaller != null ? signaller : defaults.signaller;
        b.stats = stats != null ? stats : defaults.stats;
        b.pipeline = pipeline != null ? pipeline : defaults.pipeline;
        return b.build();
    }

    /** Length of a lease; null when not set (30 s). */
    public @Nullable Duration lease() {
        return lease;
    }

    /**
     * How often a waiting consumer asks the storage, in case a signal was lost; null when not set (15 s). Queue objects of one
     * factory that have the same name, signaller, stats, pipeline and history share one interval: that of the first one. It
     * applies while one of them is in use.
     */
    public @Nullable Duration pollInterval() {
        return pollInterval;
    }

    /**
     * How long a blocking call waits for the storage; null when not set (10 s). The calls of the storage itself end after the value in
     * {@link QueueFactoryBuilder#queueDefaults}, because queue objects share them. So a longer value of one queue has no effect.
     */
    public @Nullable Duration operationTimeout() {
        return operationTimeout;
    }

    /** How long consumed messages are kept; null when not set (not at all, or as the backend's URL says). */
    public @Nullable Duration history() {
        return history;
    }

    /** After how many deliveries a message is dead-lettered, and where; null when not set (25 deliveries). */
    public @Nullable DeadLetter deadLetter() {
        return deadLetter;
    }

    /** The delay before a retried message is due again; null when not set ({@link Backoff#standard()}). */
    public @Nullable Backoff backoff() {
        return backoff;
    }

    /** Whether async pushes of one caller keep their order without being awaited; null when not set (true). */
    public @Nullable Boolean ordered() {
        return ordered;
    }

    /**
     * Most messages of one ordering key that are held at one time; null when not set: the queue is not keyed. With 1 the
     * messages of a key are handed out strictly in the order of insertion; with more, their order is best effort. All
     * processes must open the queue with the same value.
     */
    public @Nullable Integer keyed() {
        return keyed;
    }

    /** The largest payload in bytes; null when not set (1 MiB). */
    public @Nullable Integer maxPayloadBytes() {
        return maxPayloadBytes;
    }

    /** Most pushed messages, and most settlements, that may wait for the storage; null when not set (65,536). */
    public @Nullable Integer maxPendingMessages() {
        return maxPendingMessages;
    }

    /** Most bytes of payloads that may wait for the storage; null when not set (64 MiB). */
    public @Nullable Long maxPendingBytes() {
        return maxPendingBytes;
    }

    /** The name of the consumer, which the storage shows with reserved messages; null when not set. */
    public @Nullable String consumer() {
        return consumer;
    }

    /** URL of a signaller for this queue alone; null for the factory's. */
    public @Nullable String signaller() {
        return signaller;
    }

    /** URL of stats for this queue alone; null for the factory's. */
    public @Nullable String stats() {
        return stats;
    }

    /**
     * The pipeline that the queue belongs to, on a backend that stores the queues of each pipeline together ({@code pl-mongo}:
     * one collection per pipeline); null for the one that the factory's URL names. Queues of one name in two pipelines are
     * two queues, which share signals, counters and the paused flag. Messages are moved and dead-lettered within their
     * pipeline.
     */
    public @Nullable String pipeline() {
        return pipeline;
    }

    /** Builds {@link QueueOptions}; not thread-safe. Setters refuse what is negative or longer than ten years with IllegalArgumentException. */
    public static final class Builder {
        private @Nullable Duration lease;
        private @Nullable Duration pollInterval;
        private @Nullable Duration operationTimeout;
        private @Nullable Duration history;
        private @Nullable DeadLetter deadLetter;
        private @Nullable Backoff backoff;
        private @Nullable Boolean ordered;
        private @Nullable Integer keyed;
        private @Nullable Integer maxPayloadBytes;
        private @Nullable Integer maxPendingMessages;
        private @Nullable Long maxPendingBytes;
        private @Nullable String consumer;
        private @Nullable String signaller;
        private @Nullable String stats;
        private @Nullable String pipeline;

        private Builder() {}

        /** Sets {@link QueueOptions#lease()}. */
        public Builder lease(Duration value) {
            this.lease = Durations.positive(value, "lease");
            return this;
        }

        /** Sets {@link QueueOptions#pollInterval()}. */
        public Builder pollInterval(Duration value) {
            this.pollInterval = Durations.positive(value, "pollInterval");
            return this;
        }

        /** Sets {@link QueueOptions#operationTimeout()}. */
        public Builder operationTimeout(Duration value) {
            this.operationTimeout = Durations.positive(value, "operationTimeout");
            return this;
        }

        /** Sets {@link QueueOptions#history()}; zero is the same as not set. */
        public Builder history(Duration value) {
            this.history = Durations.check(value, "history");
            return this;
        }

        /** Sets {@link QueueOptions#deadLetter()}. */
        public Builder deadLetter(DeadLetter value) {
            this.deadLetter = value;
            return this;
        }

        /** Sets {@link QueueOptions#backoff()}. */
        public Builder backoff(Backoff value) {
            this.backoff = value;
            return this;
        }

        /** Sets {@link QueueOptions#ordered()}. */
        public Builder ordered(boolean value) {
            this.ordered = value;
            return this;
        }

        /** Sets {@link QueueOptions#keyed()} to 1: strict order per key. */
        public Builder keyed() {
            return keyed(1);
        }

        /**
         * Sets {@link QueueOptions#keyed()}; a backend without keys refuses it when the queue is opened.
         *
         * @param maxPerKey from 1 to 1,000
         */
        public Builder keyed(int maxPerKey) {
            if (maxPerKey < 1 || maxPerKey > 1000) {
                throw new IllegalArgumentException("keyed takes 1 to 1000 messages per key: " + maxPerKey);
            }
            this.keyed = maxPerKey;
            return this;
        }

        /** Sets {@link QueueOptions#maxPayloadBytes()}. */
        public Builder maxPayloadBytes(int value) {
            if (value < 1) {
                throw new IllegalArgumentException("maxPayloadBytes must be at least 1: " + value);
            }
            this.maxPayloadBytes = value;
            return this;
        }

        /** Sets {@link QueueOptions#maxPendingMessages()}. */
        public Builder maxPendingMessages(int value) {
            if (value < 1) {
                throw new IllegalArgumentException("maxPendingMessages must be at least 1: " + value);
            }
            this.maxPendingMessages = value;
            return this;
        }

        /** Sets {@link QueueOptions#maxPendingBytes()}. */
        public Builder maxPendingBytes(long value) {
            if (value < 1) {
                throw new IllegalArgumentException("maxPendingBytes must be at least 1: " + value);
            }
            this.maxPendingBytes = value;
            return this;
        }

        /** Sets {@link QueueOptions#consumer()}. */
        public Builder consumer(String value) {
            this.consumer = value;
            return this;
        }

        /** Sets {@link QueueOptions#signaller()}. */
        public Builder signaller(String url) {
            this.signaller = url;
            return this;
        }

        /** Sets {@link QueueOptions#stats()}. */
        public Builder stats(String url) {
            this.stats = url;
            return this;
        }

        /** Sets {@link QueueOptions#pipeline()}; a backend that keeps no pipelines refuses it when the queue is opened. */
        public Builder pipeline(String value) {
            this.pipeline = value;
            return this;
        }

        /** The finished options. */
        public QueueOptions build() {
            return new QueueOptions(this);
        }
    }
}
