package dev.jono.backend.bucketmongo;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Striped locks of buckets for the calls of one process: they save the repeated attempts of calls that change the same bucket.
 * Between processes, only the conditions of the writes protect a bucket. One stripe stands for many buckets. Thread-safe.
 */
final class BucketLocks {
    private static final int STRIPES = 1024;

    private final ReentrantLock[] locks = new ReentrantLock[STRIPES];

    BucketLocks() {
        for (int i = 0; i < STRIPES; i++) {
            locks[i] = new ReentrantLock();
        }
    }

    /** Runs the body with the locks of these buckets. */
    <R extends @Nullable Object> R with(Collection<BucketId> buckets, Supplier<R> body) {
        Set<Integer> stripes =
                new TreeSet<>(); // sorted: all threads lock in the same order, so no deadlock is possible
        for (BucketId id : buckets) {
            int hash = id.hashCode();
            stripes.add((hash ^ (hash >>> 16)) & (STRIPES - 1));
        }
        return with(stripes, body);
    }

    private <R extends @Nullable Object> R with(Set<Integer> stripes, Supplier<R> body) {
        int locked = 0;
        List<ReentrantLock> needed =
                stripes.stream().map(stripe -> locks[stripe]).toList();
        try {
            for (ReentrantLock lock : needed) {
                lock.lock();
                locked++;
            }
            return body.get();
        } finally {
            while (locked > 0) {
                needed.get(--locked).unlock();
            }
        }
    }
}
