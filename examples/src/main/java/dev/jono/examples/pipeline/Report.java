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

/** Counts how lines left the pipeline. By id, so that one that is processed twice counts once. Thread-safe. */
public final class Report {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    private final BiConsumer<String, String> listener;

    @GuardedBy("lock") private final Set<String> ids = new HashSet<>();

    @GuardedBy("lock") private final Map<String, Integer> counts = new TreeMap<>();

    /** One that only counts. */
    public Report() {
        this((how, id) -> {});
    }

    /** One that also tells of each line how it left and its message's id, as often as it is processed. */
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

    /** How many left in which way. */
    public Map<String, Integer> counts() {
        lock.lock();
        try {
            return Map.copyOf(counts);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until so many have left; false when the time was up before. */
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
