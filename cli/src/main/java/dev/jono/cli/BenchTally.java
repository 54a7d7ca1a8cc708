package dev.jono.cli;

import dev.jono.JonoClock;
import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;
import org.HdrHistogram.Histogram;

/** Counts messages by their numbers, and records latencies. Thread-safe. */
final class BenchTally {
    private final ReentrantLock lock = new ReentrantLock();
    private final int expected;
    private final BitSet seen; // guarded by lock
    private final Histogram micros = new Histogram(3); // guarded by lock
    private boolean started; // guarded by lock
    private long startNanos; // guarded by lock
    private long endNanos; // guarded by lock
    private int distinct; // guarded by lock
    private long duplicates; // guarded by lock

    BenchTally(int expected) {
        this.expected = expected;
        this.seen = new BitSet(expected);
    }

    /** Records a latency that ends now. The total time starts with the first latency. */
    void addLatency(long latencyMicros) {
        lock.lock();
        try {
            micros.recordValue(Math.max(0, latencyMicros));
            endNanos = JonoClock.system().nanos();
            if (!started) {
                started = true;
                startNanos = endNanos - latencyMicros * 1_000;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Records that a message arrived. */
    void addNumber(int number) {
        lock.lock();
        try {
            if (number < 0 || number >= expected || seen.get(number)) {
                duplicates++;
            } else {
                seen.set(number);
                distinct++;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Records messages that are still in the queue after they were consumed. */
    void addRemaining(long number) {
        lock.lock();
        try {
            duplicates += number;
        } finally {
            lock.unlock();
        }
    }

    boolean isComplete() {
        lock.lock();
        try {
            return distinct >= expected;
        } finally {
            lock.unlock();
        }
    }

    BenchResult result(String op, String backend, BenchPlan plan) {
        lock.lock();
        try {
            return new BenchResult(
                    op,
                    backend,
                    plan,
                    expected,
                    Math.max(1, endNanos - startNanos) / 1e9,
                    micros.getValueAtPercentile(50),
                    micros.getValueAtPercentile(99),
                    micros.getMaxValue(),
                    (long) expected - distinct,
                    duplicates);
        } finally {
            lock.unlock();
        }
    }
}
