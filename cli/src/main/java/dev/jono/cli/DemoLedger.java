package dev.jono.cli;

import dev.jono.JonoClock;
import dev.jono.cli.LogLine.Fate;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.HdrHistogram.Histogram;

/**
 * Collects the reports of the demo's processes, and computes the summary. Called by the reader threads. Thread-safe.
 */
final class DemoLedger {
    private final ReentrantLock lock = new ReentrantLock();
    private final BitSet pushed = new BitSet(); // guarded by lock, as all below
    private final BitSet acked = new BitSet();
    private final Map<String, BitSet> holding = new HashMap<>();
    private final Map<String, BitSet> acking = new HashMap<>();
    private final Histogram micros = new Histogram(3);
    private long firstNanos;
    private long lastNanos;
    private long events;
    private long ackedTwice;
    private long redelivered;
    private long sorted;
    private long scheduled;
    private long early;

    /** Records a line of a process. An incomplete line is ignored. */
    void record(String process, String line) {
        if (line.length() < 3 || !line.endsWith(" .")) {
            return;
        }
        String what = line.substring(0, 1);
        lock.lock();
        try {
            events++;
            lastNanos = JonoClock.system().nanos();
            firstNanos = events == 1 ? lastNanos : firstNanos;
            for (String word : line.substring(2, line.length() - 2).split(" ", -1)) {
                int colon = word.indexOf(':');
                int n = Integer.parseInt(colon < 0 ? word : word.substring(0, colon));
                record(process, what, n, colon < 0 ? -1 : Long.parseLong(word.substring(colon + 1)));
            }
        } finally {
            lock.unlock();
        }
    }

    private void record(String process, String what, int n, long value) {
        BitSet held = holding.computeIfAbsent(process, name -> new BitSet());
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

    /** The number of events so far. */
    long events() {
        lock.lock();
        try {
            return events;
        } finally {
            lock.unlock();
        }
    }

    /** The number of messages acked so far. */
    long delivered() {
        lock.lock();
        try {
            return acked.cardinality();
        } finally {
            lock.unlock();
        }
    }

    /** The number of messages that a process has received and not settled, according to its reports. */
    int heldBy(String process) {
        lock.lock();
        try {
            return holding.getOrDefault(process, new BitSet()).cardinality();
        } finally {
            lock.unlock();
        }
    }

    /** The progress as one line. */
    String progress() {
        lock.lock();
        try {
            return String.format(
                    java.util.Locale.ROOT,
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
     * @param heldByKilled how many messages the killed worker held when it was killed
     */
    DemoSummary summary(BitSet dead, long unfinished, int heldByKilled) {
        lock.lock();
        try {
            // Acks that were started and not reported. If no other process acked the message and the queues are empty,
            // the storage has executed the ack.
            BitSet doubtful = new BitSet();
            acking.values().forEach(doubtful::or);
            doubtful.andNot(acked);
            doubtful.andNot(dead);
            BitSet done = (BitSet) acked.clone();
            if (unfinished == 0) {
                done.or(doubtful);
            }
            BitSet lost = (BitSet) pushed.clone();
            lost.andNot(done);
            lost.andNot(dead);
            BitSet twice = (BitSet) acked.clone();
            twice.and(dead);
            BitSet unknown = (BitSet) acked.clone();
            unknown.andNot(pushed);
            return new DemoSummary(
                    pushed.cardinality(),
                    scheduled,
                    early,
                    done.cardinality(),
                    redelivered,
                    heldByKilled,
                    dead.cardinality(),
                    pushed.stream()
                            .filter(n -> LogLine.fateOf(n).endsInDeadLetters())
                            .count(),
                    Math.max(0, lost.cardinality() - unfinished),
                    unfinished,
                    ackedTwice + twice.cardinality() + unknown.cardinality(),
                    Math.max(1, lastNanos - firstNanos) / 1e9,
                    micros.getValueAtPercentile(50),
                    micros.getValueAtPercentile(99),
                    micros.getMaxValue());
        } finally {
            lock.unlock();
        }
    }
}
