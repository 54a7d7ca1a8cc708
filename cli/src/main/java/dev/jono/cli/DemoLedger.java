package dev.jono.cli;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Collects what the processes of one act of the demo report. Reader threads record, and the thread of the act reads. Thread-safe.
 */
abstract class DemoLedger {
    final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final Map<String, BitSet> holding = new HashMap<>();

    @GuardedBy("lock") private long firstNanos;

    @GuardedBy("lock") private long lastNanos;

    @GuardedBy("lock") private long events;

    /** Records a line of a process, which {@link DemoReport} has written. An incomplete line is ignored. */
    final void record(String process, String line) {
        if (line.length() < 3 || !line.endsWith(" .")) {
            return;
        }
        String what = line.substring(0, 1);
        lock.lock();
        try {
            countEvent();
            for (String word : line.substring(2, line.length() - 2).split(" ", -1)) {
                int colon = word.indexOf(':');
                int n = Integer.parseInt(colon < 0 ? word : word.substring(0, colon));
                record(process, what, n, colon < 0 ? -1 : Long.parseLong(word.substring(colon + 1)));
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") final void countEvent() {
        events++;
        lastNanos = JonoClock.system().nanos();
        firstNanos = events == 1 ? lastNanos : firstNanos;
    }

    /**
     * Records one number of a line. Called with the lock held.
     *
     * @param value the number after the colon; -1 if there is none
     */
    @GuardedBy("lock") abstract void record(String process, String what, int n, long value);

    /** Whether the victim is to be killed, after it has reported this line: it must hold something. */
    abstract boolean isTimeToKill(String victim, String line);

    /** The messages or jobs that a process has begun and not ended, according to its reports. */
    @GuardedBy("lock") final BitSet holding(String process) {
        return holding.computeIfAbsent(process, name -> new BitSet());
    }

    /** The messages or jobs that a process has begun and not ended, according to its reports, as a copy. */
    final BitSet heldBy(String process) {
        lock.lock();
        try {
            return (BitSet) holding(process).clone();
        } finally {
            lock.unlock();
        }
    }

    /** The number of events so far. */
    final long events() {
        lock.lock();
        try {
            return events;
        } finally {
            lock.unlock();
        }
    }

    /** The time from the first to the last event. */
    @GuardedBy("lock") final double seconds() {
        return Math.max(1, lastNanos - firstNanos) / 1e9;
    }

    /** The remark of a throughput. */
    @GuardedBy("lock") final String perSecond() {
        return String.format(Locale.ROOT, "per second, for %.1f s", seconds());
    }
}
