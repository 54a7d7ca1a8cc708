package dev.jono.internal.worker;

import java.time.Duration;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one worker. Created by {@link WorkerBuilderImpl}, and never changed.
 *
 * @param name shown in log lines
 * @param concurrency the maximum number of messages that handlers work on at the same time
 * @param maxHandlers the maximum number of handlers that run at the same time; {@link #NO_LIMIT} for any
 * @param prefetch how many more messages are claimed in advance
 * @param lease the length of the leases; null: each queue's own
 * @param maxRuntime a handler that runs longer is interrupted
 * @param strictOrder whether a queue is served only while those that were added before it have no messages; otherwise queues
 *     are served by weight
 * @param messageNames how log lines name a message, by the name of its queue and its id
 */
record WorkerSettings(
        String name,
        int concurrency,
        int maxHandlers,
        int prefetch,
        @Nullable Duration lease,
        Duration maxRuntime,
        boolean strictOrder,
        BinaryOperator<String> messageNames) {
    /** As many handlers as the concurrency allows. */
    static final int NO_LIMIT = Integer.MAX_VALUE;
}
