package dev.jono.dashboard.internal.source;

import dev.jono.EncodedPayload;
import dev.jono.JonoClock;
import dev.jono.MessageQueue;
import dev.jono.QueueCounts;
import dev.jono.QueueStats;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of a queue at one time.
 *
 * @param queue its name
 * @param ready how many messages are due
 * @param scheduled how many wait for their due time
 * @param reserved how many are held by consumers
 * @param blocked how many wait for an earlier one of their ordering key
 * @param total the sum of these
 * @param paused whether the queue is paused
 * @param oldestReadyAge how long the oldest due message has waited; null if there is none
 * @param pushed how many messages were pushed since the statistics began
 * @param consumed how many were popped or acked since then
 * @param at when this was read, by the clock of this process
 */
public record QueueSample(
        String queue,
        long ready,
        long scheduled,
        long reserved,
        long blocked,
        long total,
        boolean paused,
        @Nullable Duration oldestReadyAge,
        long pushed,
        long consumed,
        Instant at) {
    static QueueSample read(MessageQueue<EncodedPayload> queue, JonoClock clock) {
        QueueCounts counts = queue.counts();
        QueueStats stats = queue.stats();
        return new QueueSample(
                queue.name(),
                counts.ready(),
                counts.scheduled(),
                counts.reserved(),
                counts.blocked(),
                counts.total(),
                queue.isPaused(),
                counts.oldestReadyAge().orElse(null),
                stats.pushed(),
                stats.popped() + stats.acked(),
                Instant.ofEpochMilli(clock.wallMillis()));
    }
}
