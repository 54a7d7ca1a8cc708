package dev.jono.spring.autoconfigure;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/**
 * Options of a queue. One that is not set has the default of {@link dev.jono.QueueOptions}.
 *
 * @param lease How long a reservation lasts; 30s by default.
 * @param pollInterval Longest sleep of a waiting consumer, which repairs lost signals; 15s by default.
 * @param operationTimeout How long a call waits for the storage; 10s by default.
 * @param history How long consumed messages are kept, on backends with a history.
 * @param maxDeliveries Number of deliveries after which a message is dead-lettered; 25 by default, 0 for no limit.
 * @param deadLetterQueue Name of the dead-letter queue.
 * @param backoff Delays between deliveries.
 * @param ordered Whether asynchronous pushes that are not awaited keep their order; true by default.
 * @param keyed Maximum number of messages of one ordering key that are held at once; 1 is the strict order. The same in all processes.
 * @param maxPayload Largest payload; 1MB by default.
 * @param maxPending Maximum size of the payloads that wait to be stored; 64MB by default.
 * @param maxPendingMessages Maximum number of messages that wait to be stored; 65536 by default.
 * @param consumer Name of the consumer, which the storage shows with reserved messages.
 * @param signaller URL of a signaller for the queue.
 * @param stats URL of stats for the queue.
 * @param pipeline Pipeline that the queue belongs to, on pl-mongo.
 */
public record QueueProperties(
        @Nullable Duration lease,
        @Nullable Duration pollInterval,
        @Nullable Duration operationTimeout,
        @Nullable Duration history,
        @Nullable Integer maxDeliveries,
        @Nullable String deadLetterQueue,
        @Nullable Backoff backoff,
        @Nullable Boolean ordered,
        @Nullable Integer keyed,
        @Nullable DataSize maxPayload,
        @Nullable Integer maxPendingMessages,
        @Nullable DataSize maxPending,
        @Nullable String consumer,
        @Nullable String signaller,
        @Nullable String stats,
        @Nullable String pipeline) {

    /** Properties of a queue. An empty text is not set. */
    public QueueProperties {
        deadLetterQueue = JonoProperties.textOrNull(deadLetterQueue);
        consumer = JonoProperties.textOrNull(consumer);
        signaller = JonoProperties.textOrNull(signaller);
        stats = JonoProperties.textOrNull(stats);
        pipeline = JonoProperties.textOrNull(pipeline);
    }

    /**
     * Delays between deliveries. They grow by a factor.
     *
     * @param first Delay after the first delivery; 1s by default.
     * @param factor Growth at each delivery, 1 or more; 2 by default.
     * @param max Longest delay; 10m by default.
     * @param jitter Largest part of a delay that is taken off at random, 0 to 1; 0.2 by default.
     */
    public record Backoff(
            @Nullable Duration first,
            @Nullable Double factor,
            @Nullable Duration max,
            @Nullable Double jitter) {
        static final Backoff NONE = new Backoff(null, null, null, null);
    }
}
