package dev.jono.cli;

import dev.jono.Backoff;
import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import java.time.Duration;
import java.util.List;

/**
 * The queues of a demo. The producer pushes lines; a stage of a pipeline sorts them into two queues for the workers.
 *
 * @param dead the dead-letter queue
 */
record DemoQueues(
        MessageQueue<LogLine> lines,
        MessageQueue<LogEvent> requests,
        MessageQueue<LogEvent> problems,
        MessageQueue<EncodedPayload> dead) {
    /** Short, so that the messages of a killed worker return soon. */
    static final Duration LEASE = Duration.ofSeconds(3);
    /** Short, so that failing messages become dead letters soon. */
    static final Backoff BACKOFF = Backoff.exponential(Duration.ofMillis(200), 2, Duration.ofSeconds(1), 0.2);

    private static final int MAX_DELIVERIES = 4;
    private static final Duration POLL = Duration.ofSeconds(2);

    static DemoQueues open(QueueFactory jono, String prefix) {
        QueueOptions options = QueueOptions.builder()
                .lease(LEASE)
                .backoff(BACKOFF)
                .pollInterval(POLL)
                .deadLetter(DeadLetter.after(MAX_DELIVERIES).queue(prefix + "dead"))
                .build();
        return new DemoQueues(
                jono.queue(prefix + "lines", LogLine.class, options),
                jono.queue(prefix + "requests", LogEvent.class, options),
                jono.queue(prefix + "problems", LogEvent.class, options),
                jono.queue(prefix + "dead", Codec.raw(), options));
    }

    /**
     * The number of unfinished messages. Counts the queues in the order in which messages pass, so that it misses none.
     */
    long unfinished() {
        return lines.totalSize() + requests.totalSize() + problems.totalSize();
    }

    /** The number of messages that are ready for the stage or a worker. */
    long backlog() {
        return lines.size() + requests.size() + problems.size();
    }

    /** Removes all messages. */
    void purge() {
        List.of(lines, requests, problems, dead).forEach(MessageQueue::purge);
    }
}
