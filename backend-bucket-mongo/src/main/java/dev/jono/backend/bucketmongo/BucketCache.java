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
 * Buckets as this process knows them. What is written is written on the condition that they are still so; so a bucket
 * that is known needs no reading, and one that was changed by others costs an attempt. Thread-safe.
 *
 * <p>The row is what the last search found, in its order: the next claim begins there. It is used for a short time only,
 * for what others give back into an old place stands before it.
 */
final class BucketCache {
    private static final int MAX_CACHED = 2000;
    private static final int MAX_DELETED = 100;
    private static final long CANDIDATES_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();

    /** Held during a claim: one of a queue is under way in a process. */
    final ReentrantLock claiming = new ReentrantLock();

    /** With their messages only those of the row: what others claim first is never asked for again. */
    @GuardedBy("lock") private final Map<BucketId, CachedBucket> cached = new LinkedHashMap<>(16, 0.75f, true);

    /** Counts what this process writes and reads. */
    @GuardedBy("lock") private long changes;

    /** What was deleted lately, by the number of the change: a search that began before may still find it. */
    @GuardedBy("lock") private final Map<BucketId, Long> deleted = new LinkedHashMap<>();

    /** A search beside the claims. */
    @GuardedBy("lock") private @Nullable OffloadedTask<?> prefetch;

    @GuardedBy("lock") private Set<BucketId> candidates = Set.of();

    @GuardedBy("lock") private long candidatesNanos;

    @GuardedBy("lock") private long candidatesMillis;

    BucketCache(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * A bucket, and when that was known. The versions do not tell: a bucket that is made again begins with any number.
     *
     * @param change the number of the change
     */
    private record CachedBucket(Bucket bucket, long change) {}

    /**
     * Buckets in the order in which they are to be claimed.
     *
     * @param buckets those with their messages
     * @param more whether there may be more
     * @param nowMillis the server's clock, as the search saw it
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

    /** A search begins: what {@link #endSearch} has to know. */
    long beginSearch() {
        lock.lock();
        try {
            return changes;
        } finally {
            lock.unlock();
        }
    }

    /** A search has found these. Returns them as they are known by now: perhaps changed since they were read. */
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

    /** A bucket was read, or written. */
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
        cached.put(bucket.id, new CachedBucket(candidates.contains(bucket.id) ? bucket : bucket.withoutMessages(), ++changes));
    }

    /** These drafts were written. */
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

    /** What became of these is not known. */
    void forget(Iterable<BucketId> ids) {
        lock.lock();
        try {
            ids.forEach(cached::remove);
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a search beside the claims, if there is one. */
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

    /** Whether the row is at its end with the claim after this one, and nobody is about to make another. */
    boolean needsPrefetch(List<BucketId> chosen) {
        lock.lock();
        try {
            if (prefetch != null && !prefetch.isDone()) {
                return false;
            }
            int left = 0;
            for (BucketId id : candidates) {
                CachedBucket entry = cached.get(id);
                if (entry != null && entry.bucket().hasMessages() && !chosen.contains(id)) {
                    left++;
                }
            }
            return left <= 1;
        } finally {
            lock.unlock();
        }
    }

    /** A search has begun. */
    void setPrefetch(OffloadedTask<?> search) {
        lock.lock();
        try {
            prefetch = search;
        } finally {
            lock.unlock();
        }
    }

    /** The queue was deleted: there are no buckets. */
    void clear() {
        lock.lock();
        try {
            replaceCandidates(Set.of());
            cached.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Something may stand before the row. */
    void resetCandidates() {
        lock.lock();
        try {
            replaceCandidates(Set.of());
        } finally {
            lock.unlock();
        }
    }
}
