package dev.jono.support.mongo;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What became of the last calls of one kind, by their tokens, so that a repeated call takes effect once. It is kept in the
 * process, for nobody else repeats a call of this process. Thread-safe.
 *
 * @param <V> what is kept of a call
 */
public final class RecentCalls<V> {
    private final int kept;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final Map<String, V> calls = new LinkedHashMap<>();

    /**
     * None yet.
     *
     * @param kept how many calls are remembered; older ones are forgotten
     */
    public RecentCalls(int kept) {
        this.kept = kept;
    }

    /** What is known of a call; null for one that is new, or forgotten. */
    public @Nullable V get(String token) {
        lock.lock();
        try {
            return calls.get(token);
        } finally {
            lock.unlock();
        }
    }

    /** Remembers a call; what was known of it before is replaced. */
    public void put(String token, V value) {
        lock.lock();
        try {
            calls.remove(token);
            calls.put(token, value);
            if (calls.size() > kept) {
                calls.remove(calls.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Forgets a call. */
    public void remove(String token) {
        lock.lock();
        try {
            calls.remove(token);
        } finally {
            lock.unlock();
        }
    }
}
