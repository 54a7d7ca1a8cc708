package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.Allocation;
import dev.jono.benchmarks.QueueClient.Step;
import java.time.Duration;
import java.util.Objects;

/** Measures the bytes that a message uses in the storage and, for Jono, the bytes that the client allocates for it. */
final class MessageBytes {
    /**
     * The messages of the round before the measured one, which creates tables, indexes and connections; also the
     * minimum.
     */
    private static final int FIRST = 1000;

    private static final int MAX_MESSAGES = 20_000;

    private MessageBytes() {}

    /** Returns the number of messages to measure with, for a contestant of this speed. */
    static int count(double perSecond) {
        return (int) Math.max(FIRST, Math.min(MAX_MESSAGES, perSecond / 100 * 100));
    }

    /**
     * Measures both. Stored bytes are measured on a new server, because messages of other contestants would count as
     * well. Allocated bytes are measured in the existing process, whose code is compiled; a round before it makes the
     * first recording, which {@link Allocation} needs.
     */
    static RoundResult run(Session session, Servers servers, Work work, int count, Duration limit) throws Exception {
        Contestant contestant = session.contestant;
        Step take = work.takeSteps(contestant, true).get(0);
        RoundResult stored;
        try (Server server = servers.fresh(contestant.storage());
                Session alone = session.withServer(server)) {
            runRound(alone, work, take, FIRST, false, limit);
            long before = server.bytes();
            stored = alone.push(count, work, work.width(), false, limit);
            long after = server.bytes();
            RoundResult taken = alone.take(take, count, work, work.width(), false, limit);
            stored.checked(Objects.requireNonNull(taken.check()))
                    .with("storedBytesPerMessage", Math.round((double) Math.max(0, after - before) / count));
        }
        if (contestant.ours() && Objects.requireNonNull(stored.check()).clean()) {
            runRound(session, work, take, count, true, limit);
            RoundResult push = session.push(count, work, work.width(), true, limit);
            RoundResult taken = session.take(take, count, work, work.width(), true, limit);
            session.advance(count);
            stored.checked(Objects.requireNonNull(taken.check()))
                    .with("allocatedByPush", allocated(push))
                    .with("allocatedByTake", allocated(taken));
        }
        return stored;
    }

    private static void runRound(Session session, Work work, Step take, int count, boolean allocation, Duration limit)
            throws Exception {
        RoundResult unused = session.push(count, work, work.width(), allocation, limit);
        RoundResult taken = session.take(take, count, work, work.width(), allocation, limit);
        session.advance(count);
        if (!Objects.requireNonNull(taken.check()).clean()) {
            throw new java.io.IOException(String.format("of %,d messages: %s", count, taken.check()));
        }
    }

    private static long allocated(RoundResult result) {
        return result.figures().get("allocatedBytes") instanceof Number all ? all.longValue() / result.count() : 0;
    }
}
