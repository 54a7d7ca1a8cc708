package dev.jono.cli;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.cli.LogLine.Fate;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The ledger of the act about queues. Thread-safe. */
final class DemoQueuesLedger extends DemoLedger {
    private final long killAt;

    @GuardedBy("lock") private final BitSet pushed = new BitSet();

    @GuardedBy("lock") private final BitSet acked = new BitSet();

    @GuardedBy("lock") private final Map<String, BitSet> acking = new HashMap<>();

    @GuardedBy("lock") private final Histogram micros = new Histogram(3);

    @GuardedBy("lock") private long ackedTwice;

    @GuardedBy("lock") private long redelivered;

    @GuardedBy("lock") private long sorted;

    @GuardedBy("lock") private long scheduled;

    @GuardedBy("lock") private long early;

    /** @param killAt how many messages are acked when a worker is killed */
    DemoQueuesLedger(long killAt) {
        this.killAt = killAt;
    }

    @Override
    @GuardedBy("lock")
    void record(String process, String what, int n, long value) {
        BitSet held = holding(process);
        BitSet doubtful = acking.computeIfAbsent(process, name -> new BitSet());
        switch (what) {
            case DemoReport.PUSHED -> {
                pushed.set(n);
                scheduled += LogLine.fateOf(n) == Fate.LATE ? 1 : 0;
            }
            case DemoReport.DELIVERED -> {
                held.set(n);
                redelivered += value > 0 ? 1 : 0;
                sorted += process.equals(DemoReport.STAGE) && value == 0 ? 1 : 0;
            }
            case DemoReport.ACKING -> doubtful.set(n);
            case DemoReport.ACKED -> {
                ackedTwice += acked.get(n) ? 1 : 0;
                acked.set(n);
                held.clear(n);
                doubtful.clear(n);
                if (value >= 0) {
                    micros.recordValue(value);
                }
            }
            case DemoReport.FAILED, DemoReport.STALE -> {
                held.clear(n);
                doubtful.clear(n);
            }
            case DemoReport.EARLY -> early++;
            default -> throw new IllegalArgumentException("process " + process + " reported " + what);
        }
    }

    /** The victim has just reported that it received messages, so it dies while it holds them. */
    @Override
    boolean isTimeToKill(String victim, String line) {
        lock.lock();
        try {
            return line.startsWith(DemoReport.DELIVERED)
                    && acked.cardinality() >= killAt
                    && !holding(victim).isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** The progress as one line. */
    String progress() {
        lock.lock();
        try {
            return String.format(
                    Locale.ROOT,
                    "pushed %,d  sorted %,d  delivered %,d  redelivered %,d",
                    pushed.cardinality(),
                    sorted,
                    acked.cardinality(),
                    redelivered);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Computes the summary.
     *
     * @param dead the numbers of the messages in the dead-letter queue
     * @param unfinished how many messages are still in the queues, according to the storage
     * @param heldByKilled how many messages the killed worker held when it was killed; -1 if no worker was killed
     */
    DemoSummary summary(BitSet dead, long unfinished, int heldByKilled) {
        lock.lock();
        try {
            BitSet done = done(dead, unfinished);
            BitSet lost = (BitSet) pushed.clone();
            lost.andNot(done);
            lost.andNot(dead);
            long missing = Math.max(0, lost.cardinality() - unfinished);
            long duplicates = duplicates(dead);
            long doomed = pushed.stream()
                    .filter(n -> LogLine.fateOf(n).endsInDeadLetters())
                    .count();
            String killed = heldByKilled < 0 ? "no worker was killed" : "the killed worker held " + heldByKilled;
            String rest = unfinished == 0 ? "" : unfinished + " still in the queues";
            double perSecond = done.cardinality() / seconds();
            return new DemoSummary.Builder("queues")
                    .fact("pushed", "pushed", pushed.cardinality(), "")
                    .check("scheduled", "  of these scheduled", scheduled, early + " delivered early", early == 0)
                    .field("early", early)
                    .check("delivered", "delivered", done.cardinality(), rest, unfinished == 0)
                    .field("unfinished", unfinished)
                    .fact("redelivered", "redelivered", redelivered, killed)
                    .field("heldByKilled", heldByKilled)
                    .fact("deadLettered", "dead-lettered", dead.cardinality(), doomed + " expected")
                    .field("doomed", doomed)
                    .check("lost", "lost", missing, "", missing == 0)
                    .check("duplicates", "duplicates acknowledged", duplicates, "", duplicates == 0)
                    .fact("messagesPerSecond", "throughput", Math.round(perSecond), perSecond())
                    .field("seconds", seconds())
                    .row("latency, push to delivery", latency(), "", true)
                    .field("p50Micros", micros.getValueAtPercentile(50))
                    .field("p99Micros", micros.getValueAtPercentile(99))
                    .field("maxMicros", micros.getMaxValue())
                    .build();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The acked messages. An ack may have been begun and not reported: if no other process acked the message and the queues are
     * empty, the storage has executed the ack.
     */
    @GuardedBy("lock") private BitSet done(BitSet dead, long unfinished) {
        BitSet doubtful = new BitSet();
        acking.values().forEach(doubtful::or);
        doubtful.andNot(acked);
        doubtful.andNot(dead);
        BitSet done = (BitSet) acked.clone();
        if (unfinished == 0) {
            done.or(doubtful);
        }
        return done;
    }

    /** The number of acks of messages that were acked before, are dead letters too, or were never pushed. */
    @GuardedBy("lock") private long duplicates(BitSet dead) {
        BitSet twice = (BitSet) acked.clone();
        twice.and(dead);
        BitSet unknown = (BitSet) acked.clone();
        unknown.andNot(pushed);
        return ackedTwice + twice.cardinality() + unknown.cardinality();
    }

    @GuardedBy("lock") private String latency() {
        return String.format(
                Locale.ROOT,
                "p50 %,.1f ms, p99 %,.1f ms, max %,.1f ms",
                micros.getValueAtPercentile(50) / 1e3,
                micros.getValueAtPercentile(99) / 1e3,
                micros.getMaxValue() / 1e3);
    }
}
