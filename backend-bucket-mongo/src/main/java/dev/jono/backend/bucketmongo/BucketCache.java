package dev.jono.backend.bucketmongo;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of one queue as this process last read or wrote them. A bucket is written on the condition that it is as cached, so
 * a cached bucket needs no read, and an outdated one costs a repeated attempt. Called by all calls on the queue. Thread-safe.
 *
 * <p>The candidates are the buckets that the last search found, in claiming order: the next claim begins with them. They are
 * used for a short time only, because messages that other processes give back may come before them.
 */
final class BucketCache {
    private static final int MAX_CACHED = 2000;
    private static final int MAX_DELETED = 100;
    private static final long CANDIDATES_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();

    /** Held during a claim or take: one per queue and process runs at a time. */
    final ReentrantLock claiming = new ReentrantLock();

    /** The buckets in order of their last use. Only candidates keep their messages. */
    @GuardedBy("lock") private final Map<BucketId, CachedBucket> cached = new LinkedHashMap<>(16, 0.75f, true);

    /** Counts the buckets that this process has read or written. */
    @GuardedBy("lock") private long changes;

    /** Buckets deleted lately, with the number of that change: a search that began before may still find them. */
    @GuardedBy("lock") private final Map<BucketId, Long> deleted = new LinkedHashMap<>();

    /** A search that runs on another thread. */
    @GuardedBy("lock") private @Nullable OffloadedTask<?> prefetch;

    @GuardedBy("lock") private Set<BucketId> candidates = Set.of();

    @GuardedBy("lock") private long candidatesNanos;

    @GuardedBy("lock") private long candidatesMillis;

    BucketCache(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * A bucket, and when it was cached. The version of a bucket does not tell which of two states is newer, because a bucket
     * that is created again under the same id starts with a random version.
     *
     * @param change the number of the change
     */
    private record CachedBucket(Bucket bucket, long change) {}

    /**
     * Buckets with their messages, in claiming order.
     *
     * @param more whether the queue may hold more of them
     * @param nowMillis the server's time at the search
     */
    record Candidates(List<Bucket> buckets, boolean more, long nowMillis) {}

    /** What is left of the last search. */
    Candidates candidates() {
        lock.lock();
        try {
            if (candidates.isEmpty() || nanos.getAsLong() - candidatesNanos > CANDIDATES_NANOS) {
                replaceCandidates(Set.of());
                return new Candidates(List.of(), true, 0);
            }
            List<Bucket> buckets = new ArrayList<>();
            for (BucketId id : candidates) {
                CachedBucket entry = cached.get(id);
                if (entry != null && entry.bucket().hasMessages()) {
                    buckets.add(entry.bucket());
                }
            }
            return new Candidates(buckets, true, candidatesMillis);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void replaceCandidates(Set<BucketId> other) {
        for (BucketId id : candidates) {
            if (!other.contains(id)) {
                cached.computeIfPresent(
                        id, (same, entry) -> new CachedBucket(entry.bucket().withoutMessages(), entry.change()));
            }
        }
        candidates = other;
    }

    /** Begins a search; returns a number to pass to {@link #endSearch}. */
    long beginSearch() {
        lock.lock();
        try {
            return changes;
        } finally {
            lock.unlock();
        }
    }

    /** Ends a search. Returns the buckets found, as this process has changed them since. */
    Candidates endSearch(Candidates found, long begunAt) {
        lock.lock();
        try {
            List<Bucket> buckets = new ArrayList<>();
            Set<BucketId> ids = new LinkedHashSet<>();
            for (Bucket bucket : found.buckets()) {
                Long last = deleted.get(bucket.id);
                if (last != null && last > begunAt) {
                    continue;
                }
                CachedBucket entry = cached.get(bucket.id);
                if (entry == null || entry.change() <= begunAt) {
                    entry = new CachedBucket(bucket, begunAt);
                    cached.put(bucket.id, entry);
                }
                ids.add(bucket.id);
                if (entry.bucket().hasMessages()) {
                    buckets.add(entry.bucket());
                }
            }
            replaceCandidates(ids);
            candidatesNanos = nanos.getAsLong();
            candidatesMillis = found.nowMillis();
            trim();
            return new Candidates(buckets, found.more(), found.nowMillis());
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void trim() {
        while (deleted.size() > MAX_DELETED) {
            deleted.remove(deleted.keySet().iterator().next());
        }
        var oldest = cached.keySet().iterator();
        for (int over = cached.size() - MAX_CACHED; over > 0; over--) {
            oldest.next();
            oldest.remove();
        }
    }

    @Nullable Bucket get(BucketId id) {
        lock.lock();
        try {
            CachedBucket entry = cached.get(id);
            return entry == null ? null : entry.bucket();
        } finally {
            lock.unlock();
        }
    }

    /** Caches a bucket that was read or written. */
    void put(Bucket bucket) {
        lock.lock();
        try {
            keep(bucket);
            trim();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void keep(Bucket bucket) {
        cached.put(
                bucket.id,
                new CachedBucket(candidates.contains(bucket.id) ? bucket : bucket.withoutMessages(), ++changes));
    }

    /** Caches the results of writes that all took effect. */
    void written(Iterable<BucketChange> writes) {
        lock.lock();
        try {
            for (BucketChange change : writes) {
                if (change.deletes()) {
                    cached.remove(change.before().id);
                    deleted.put(change.before().id, ++changes);
                } else {
                    keep(change.after());
                }
            }
            trim();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets buckets that are about to change, or whose state is not known. */
    void forget(Iterable<BucketId> ids) {
        lock.lock();
        try {
            ids.forEach(cached::remove);
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the search on another thread, if there is one. */
    void awaitPrefetch() {
        OffloadedTask<?> search;
        lock.lock();
        try {
            search = prefetch;
            prefetch = null;
        } finally {
            lock.unlock();
        }
        if (search != null) {
            search.await();
        }
    }

    /** Whether the claim after this one will use up the candidates, and no search is running. */
    boolean needsPrefetch(List<BucketId> planned) {
        lock.lock();
        try {
            if (prefetch != null && !prefetch.isDone()) {
                return false;
            }
            int left = 0;
            for (BucketId id : candidates) {
                CachedBucket entry = cached.get(id);
                if (entry != null && entry.bucket().hasMessages() && !planned.contains(id)) {
                    left++;
                }
            }
            return left <= 1;
        } finally {
            lock.unlock();
        }
    }

    /** Records the search that runs on another thread. */
    void setPrefetch(OffloadedTask<?> search) {
        lock.lock();
        try {
            prefetch = search;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets everything, because the queue was deleted. */
    void clear() {
        lock.lock();
        try {
            replaceCandidates(Set.of());
            cached.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets the candidates, because messages may have come before them. */
    void resetCandidates() {
        lock.lock();
        try {
            replaceCandidates(Set.of());
        } finally {
            lock.unlock();
        }
    }
}
