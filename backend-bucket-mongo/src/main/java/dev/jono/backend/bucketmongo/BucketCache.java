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
    private static final int KNOWN = 2000;
    private static final int GONE = 100;
    private static final long ROW_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();

    /** Held during a claim: one of a queue is under way in a process. */
    final ReentrantLock claiming = new ReentrantLock();

    /** With their messages only those of the row: what others claim first is never asked for again. */
    @GuardedBy("lock") private final Map<BucketCollection.BucketId, CachedBucket> known = new LinkedHashMap<>(16, 0.75f, true);

    /** Counts what this process writes and reads. */
    @GuardedBy("lock") private long changes;

    /** What was deleted lately, by the number of the change: a search that began before may still find it. */
    @GuardedBy("lock") private final Map<BucketCollection.BucketId, Long> gone = new LinkedHashMap<>();

    /** A search beside the claims. */
    @GuardedBy("lock") private @Nullable OffloadedTask<?> ahead;

    @GuardedBy("lock") private Set<BucketCollection.BucketId> row = Set.of();

    @GuardedBy("lock") private long rowNanos;

    @GuardedBy("lock") private long rowMillis;

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
    Candidates row() {
        lock.lock();
        try {
            if (row.isEmpty() || nanos.getAsLong() - rowNanos > ROW_NANOS) {
                replaceRow(Set.of());
                return new Candidates(List.of(), true, 0);
            }
            List<Bucket> buckets = new ArrayList<>();
            for (BucketCollection.BucketId id : row) {
                CachedBucket there = known.get(id);
                if (there != null && there.bucket().readable()) {
                    buckets.add(there.bucket());
                }
            }
            return new Candidates(buckets, true, rowMillis);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void replaceRow(Set<BucketCollection.BucketId> other) {
        for (BucketCollection.BucketId id : row) {
            if (!other.contains(id)) {
                known.computeIfPresent(
                        id, (same, there) -> new CachedBucket(there.bucket().slim(), there.change()));
            }
        }
        row = other;
    }

    /** A search begins: what {@link #found} has to know. */
    long begin() {
        lock.lock();
        try {
            return changes;
        } finally {
            lock.unlock();
        }
    }

    /** A search has found these. Returns them as they are known by now: perhaps changed since they were read. */
    Candidates found(Candidates found, long began) {
        lock.lock();
        try {
            List<Bucket> buckets = new ArrayList<>();
            Set<BucketCollection.BucketId> ids = new LinkedHashSet<>();
            for (Bucket bucket : found.buckets()) {
                Long last = gone.get(bucket.id);
                if (last != null && last > began) {
                    continue;
                }
                CachedBucket there = known.get(bucket.id);
                if (there == null || there.change() <= began) {
                    there = new CachedBucket(bucket, began);
                    known.put(bucket.id, there);
                }
                ids.add(bucket.id);
                if (there.bucket().readable()) {
                    buckets.add(there.bucket());
                }
            }
            replaceRow(ids);
            rowNanos = nanos.getAsLong();
            rowMillis = found.nowMillis();
            trim();
            return new Candidates(buckets, found.more(), found.nowMillis());
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void trim() {
        while (gone.size() > GONE) {
            gone.remove(gone.keySet().iterator().next());
        }
        var oldest = known.keySet().iterator();
        for (int over = known.size() - KNOWN; over > 0; over--) {
            oldest.next();
            oldest.remove();
        }
    }

    @Nullable Bucket get(BucketCollection.BucketId id) {
        lock.lock();
        try {
            CachedBucket there = known.get(id);
            return there == null ? null : there.bucket();
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
        known.put(bucket.id, new CachedBucket(row.contains(bucket.id) ? bucket : bucket.slim(), ++changes));
    }

    /** These drafts were written. */
    void written(Iterable<BucketChange> drafts) {
        lock.lock();
        try {
            for (BucketChange draft : drafts) {
                if (draft.deletes()) {
                    known.remove(draft.before().id);
                    gone.put(draft.before().id, ++changes);
                } else {
                    keep(draft.after());
                }
            }
            trim();
        } finally {
            lock.unlock();
        }
    }

    /** What became of these is not known. */
    void forget(Iterable<BucketCollection.BucketId> ids) {
        lock.lock();
        try {
            ids.forEach(known::remove);
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a search beside the claims, if there is one. */
    void awaitAhead() {
        OffloadedTask<?> under;
        lock.lock();
        try {
            under = ahead;
            ahead = null;
        } finally {
            lock.unlock();
        }
        if (under != null) {
            under.await();
        }
    }

    /** Whether the row is at its end with the claim after this one, and nobody is about to make another. */
    boolean needsMore(List<BucketCollection.BucketId> chosen) {
        lock.lock();
        try {
            if (ahead != null && !ahead.isDone()) {
                return false;
            }
            int left = 0;
            for (BucketCollection.BucketId id : row) {
                CachedBucket there = known.get(id);
                if (there != null && there.bucket().readable() && !chosen.contains(id)) {
                    left++;
                }
            }
            return left <= 1;
        } finally {
            lock.unlock();
        }
    }

    /** A search has begun. */
    void ahead(OffloadedTask<?> search) {
        lock.lock();
        try {
            ahead = search;
        } finally {
            lock.unlock();
        }
    }

    /** The queue was deleted: there are no buckets. */
    void clear() {
        lock.lock();
        try {
            replaceRow(Set.of());
            known.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Something may stand before the row. */
    void reset() {
        lock.lock();
        try {
            replaceRow(Set.of());
        } finally {
            lock.unlock();
        }
    }
}
