package dev.jono.backend.bucketmongo;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Locks for buckets, so that the callers of one process do not get into each other's way: what they write is conditional,
 * and of two that read the same version one would have to begin again. A lock stands for many buckets. Thread-safe.
 */
final class BucketLocks {
    private static final int STRIPES = 1024;

    private final ReentrantLock[] locks = new ReentrantLock[STRIPES];

    BucketLocks() {
        for (int i = 0; i < STRIPES; i++) {
            locks[i] = new ReentrantLock();
        }
    }

    /** Does something while nobody else of this process changes these buckets. */
    <R extends @Nullable Object> R with(Collection<BucketId> buckets, Supplier<R> body) {
        Set<Integer> stripes = new TreeSet<>(); // in one order for all, so that none waits for another in a circle
        for (BucketId id : buckets) {
            int hash = id.hashCode();
            stripes.add((hash ^ (hash >>> 16)) & (STRIPES - 1));
        }
        return with(stripes, body);
    }

    private <R extends @Nullable Object> R with(Set<Integer> stripes, Supplier<R> body) {
        int taken = 0;
        List<ReentrantLock> mine = stripes.stream().map(stripe -> locks[stripe]).toList();
        try {
            for (ReentrantLock lock : mine) {
                lock.lock();
                taken++;
            }
            return body.get();
        } finally {
            while (taken > 0) {
                mine.get(--taken).unlock();
            }
        }
    }
}
