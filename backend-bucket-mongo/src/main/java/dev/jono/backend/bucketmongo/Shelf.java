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
final class Shelf {
    private static final int KNOWN = 2000;
    private static final int GONE = 100;
    private static final long ROW_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();

    /** Held during a claim: one of a queue is under way in a process. */
    final ReentrantLock claiming = new ReentrantLock();

    /** With their messages only those of the row: what others claim first is never asked for again. */
    @GuardedBy("lock") private final Map<Place.Id, Known> known = new LinkedHashMap<>(16, 0.75f, true);

    /** Counts what this process writes and reads. */
    @GuardedBy("lock") private long changes;

    /** What was deleted lately, by the number of the change: a search that began before may still find it. */
    @GuardedBy("lock") private final Map<Place.Id, Long> gone = new LinkedHashMap<>();

    /** A search beside the claims. */
    @GuardedBy("lock") private @Nullable Aside<?> ahead;

    @GuardedBy("lock") private Set<Place.Id> row = Set.of();

    @GuardedBy("lock") private long rowNanos;

    @GuardedBy("lock") private long rowMillis;

    Shelf(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * A bucket, and when that was known. The versions do not tell: a bucket that is made again begins with any number.
     *
     * @param change the number of the change
     */
    private record Known(Bucket bucket, long change) {}

    /**
     * Buckets in the order in which they are to be claimed.
     *
     * @param buckets those with their messages
     * @param more whether there may be more
     * @param nowMillis the server's clock, as the search saw it
     */
    record Row(List<Bucket> buckets, boolean more, long nowMillis) {}

    /** What is left of the last search. */
    Row row() {
        lock.lock();
        try {
            if (row.isEmpty() || nanos.getAsLong() - rowNanos > ROW_NANOS) {
                replaceRow(Set.of());
                return new Row(List.of(), true, 0);
            }
            List<Bucket> buckets = new ArrayList<>();
            for (Place.Id id : row) {
                Known there = known.get(id);
                if (there != null && there.bucket().readable()) {
                    buckets.add(there.bucket());
                }
            }
            return new Row(buckets, true, rowMillis);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void replaceRow(Set<Place.Id> other) {
        for (Place.Id id : row) {
            if (!other.contains(id)) {
                known.computeIfPresent(
                        id, (same, there) -> new Known(there.bucket().slim(), there.change()));
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
    Row found(Row found, long began) {
        lock.lock();
        try {
            List<Bucket> buckets = new ArrayList<>();
            Set<Place.Id> ids = new LinkedHashSet<>();
            for (Bucket bucket : found.buckets()) {
                Long last = gone.get(bucket.id);
                if (last != null && last > began) {
                    continue;
                }
                Known there = known.get(bucket.id);
                if (there == null || there.change() <= began) {
                    there = new Known(bucket, began);
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
            return new Row(buckets, found.more(), found.nowMillis());
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

    @Nullable Bucket get(Place.Id id) {
        lock.lock();
        try {
            Known there = known.get(id);
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
        known.put(bucket.id, new Known(row.contains(bucket.id) ? bucket : bucket.slim(), ++changes));
    }

    /** These drafts were written. */
    void written(Iterable<Draft> drafts) {
        lock.lock();
        try {
            for (Draft draft : drafts) {
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
    void forget(Iterable<Place.Id> ids) {
        lock.lock();
        try {
            ids.forEach(known::remove);
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a search beside the claims, if there is one. */
    void awaitAhead() {
        Aside<?> under;
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
    boolean needsMore(List<Place.Id> chosen) {
        lock.lock();
        try {
            if (ahead != null && !ahead.isDone()) {
                return false;
            }
            int left = 0;
            for (Place.Id id : row) {
                Known there = known.get(id);
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
    void ahead(Aside<?> search) {
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
