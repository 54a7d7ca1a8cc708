package dev.jono.examples.pipeline;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;

/** Counts the results of lines. Counts by id, so that a line that is processed twice counts once. Thread-safe. */
public final class Report {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    private final BiConsumer<String, String> listener;

    @GuardedBy("lock") private final Set<String> ids = new HashSet<>();

    @GuardedBy("lock") private final Map<String, Integer> counts = new TreeMap<>();

    /** A report that only counts. */
    public Report() {
        this((how, id) -> {});
    }

    /** A report that also passes on the result and the message's id, each time a line is processed. */
    public Report(BiConsumer<String, String> listener) {
        this.listener = listener;
    }

    void left(String how, String id) {
        listener.accept(how, id);
        lock.lock();
        try {
            if (ids.add(id)) {
                counts.merge(how, 1, Integer::sum);
                more.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The number of lines per result. */
    public Map<String, Integer> counts() {
        lock.lock();
        try {
            return Map.copyOf(counts);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until this many lines have a result. Returns false if the time is up before. */
    public boolean await(int number, long time, TimeUnit unit) throws InterruptedException {
        long left = unit.toNanos(time);
        lock.lock();
        try {
            while (ids.size() < number) {
                if (left <= 0) {
                    return false;
                }
                left = more.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
