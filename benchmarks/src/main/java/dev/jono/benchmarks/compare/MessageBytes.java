package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.QueueClient.Step;
import java.time.Duration;
import java.util.Objects;

/** Bytes that a message takes where it is stored and, of ours, allocates where it is handled. */
final class MessageBytes {
    /** Before what is measured, so that tables, indexes and connections are there. */
    private static final int FIRST = 1000;

    private static final int MOST = 20_000;

    private MessageBytes() {}

    /** About how many to measure with, for somebody who pushes so many a second. */
    static int count(double perSecond) {
        return (int) Math.max(FIRST, Math.min(MOST, perSecond / 100 * 100));
    }

    /**
     * Stored: in a fresh server that nobody else uses, for what others hold there, or have freed, would count as well. Allocated:
     * in the process that is there, for what it compiled no longer allocates, behind a round that {@link Allocation} wants.
     */
    static RoundResult run(Session session, Servers servers, Work work, int count, Duration limit) throws Exception {
        Contestant who = session.who;
        Step take = work.takes(who, true).get(0);
        RoundResult stored;
        try (Server server = servers.fresh(who.storage());
                Session alone = session.on(server)) {
            turn(alone, work, take, FIRST, false, limit);
            long before = server.bytes();
            stored = alone.push(count, work, work.width(), false, limit);
            long after = server.bytes();
            RoundResult taken = alone.take(take, count, work, work.width(), false, limit);
            stored.checked(Objects.requireNonNull(taken.check()))
                    .with("storedBytesPerMessage", Math.round((double) Math.max(0, after - before) / count));
        }
        if (who.ours() && Objects.requireNonNull(stored.check()).clean()) {
            turn(session, work, take, count, true, limit);
            RoundResult push = session.push(count, work, work.width(), true, limit);
            RoundResult taken = session.take(take, count, work, work.width(), true, limit);
            session.number(count);
            stored.checked(Objects.requireNonNull(taken.check()))
                    .with("allocatedByPush", allocated(push))
                    .with("allocatedByTake", allocated(taken));
        }
        return stored;
    }

    private static void turn(Session session, Work work, Step take, int count, boolean allocation, Duration limit)
            throws Exception {
        RoundResult unused = session.push(count, work, work.width(), allocation, limit);
        RoundResult taken = session.take(take, count, work, work.width(), allocation, limit);
        session.number(count);
        if (!Objects.requireNonNull(taken.check()).clean()) {
            throw new java.io.IOException(String.format("of %,d: %s", count, taken.check()));
        }
    }

    private static long allocated(RoundResult outcome) {
        return outcome.figures().get("allocatedBytes") instanceof Number all ? all.longValue() / outcome.count() : 0;
    }
}
