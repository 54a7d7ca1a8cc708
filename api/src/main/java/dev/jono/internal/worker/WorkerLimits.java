package dev.jono.internal.worker;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one worker.
 *
 * @param name stands in log lines
 * @param concurrency most messages that handlers work on at one time
 * @param prefetch most messages that are claimed ahead of that
 * @param lease of its reservations; null for that of each queue
 * @param maxRuntime a handler that runs longer is interrupted
 * @param strictOrder whether its queues are served in the order in which they were added, and not by weight
 */
record WorkerLimits(
        String name,
        int concurrency,
        int prefetch,
        @Nullable Duration lease,
        Duration maxRuntime,
        boolean strictOrder) {}
