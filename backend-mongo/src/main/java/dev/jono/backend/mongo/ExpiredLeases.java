package dev.jono.backend.mongo;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;

/**
 * Puts messages with expired leases back to their old places in the order. The due time of a reserved message is the
 * end of its lease, which is after messages that came in later. Takes and claims call this on their own threads before
 * they search. The fence stays, so that the holder may still settle the message until another consumer claims it.
 * Thread-safe.
 *
 * <p>A check walks over index entries of leases that ended in the last minutes, and may cost some milliseconds if there
 * are many. So it runs only when the first lease may have ended, and at most every {@value #SHORTEST_MILLIS} ms; but at
 * least every {@value #LONGEST_MILLIS} ms, because other processes may have shorter leases.
 */
final class ExpiredLeases {
    private static final long SHORTEST_MILLIS = 50;
    private static final long LONGEST_MILLIS = 250;

    private final QueueCollection queue;
    private final AtomicLong nextNanos;

    ExpiredLeases(QueueCollection queue) {
        this.queue = queue;
        this.nextNanos = new AtomicLong(queue.link.lastKnownTime().nanos());
    }

    /** A lease of this process starts; it may be the first to end. */
    void leaseStarted(long leaseMillis) {
        long end = nanosIn(leaseMillis);
        nextNanos.accumulateAndGet(end, (next, other) -> other - next < 0 ? other : next);
    }

    /** Puts messages back if it is time for a check. */
    void putBack(String step) {
        long next = nextNanos.get();
        if (queue.link.lastKnownTime().nanos() - next < 0 || !nextNanos.compareAndSet(next, nanosIn(SHORTEST_MILLIS))) {
            return;
        }
        long waitMillis = queue.call(step, false, this::putBackExpired);
        nextNanos.set(nanosIn(Math.max(SHORTEST_MILLIS, Math.min(waitMillis, LONGEST_MILLIS))));
    }

    private long nanosIn(long millis) {
        return queue.link.lastKnownTime().nanos() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Puts messages back and returns the time until the next lease may end. */
    private long putBackExpired() {
        BsonDocument leased = queue.live();
        leased.put(Fields.LEASE, Fields.doc("$gte", Fields.date(0)));
        RawBsonDocument first = queue.documents
                .find(leased)
                .sort(Fields.doc(Fields.LEASE, Fields.ONE))
                .projection(Fields.doc(Fields.LEASE, Fields.ONE).append(StoredDocument.NOW, Fields.NOW))
                .first();
        if (first == null) {
            return LONGEST_MILLIS;
        }
        long now = Fields.millis(first, StoredDocument.NOW);
        long untilEnd = Fields.millis(first, Fields.LEASE) - now;
        if (untilEnd <= 0) {
            putBack(now);
        }
        return untilEnd;
    }

    private void putBack(long nowMillis) {
        BsonDocument ended = queue.live();
        ended.put(Fields.LEASE, Fields.doc("$lte", Fields.date(nowMillis)));
        BsonDocument expired =
                Fields.op("$and", Fields.isReserved(), Fields.op("$lte", Fields.field(Fields.MATURE), Fields.NOW));
        BsonDocument set =
                Fields.doc(Fields.MATURE, Fields.op("$cond", expired, Fields.dueBefore(), Fields.field(Fields.MATURE)));
        queue.update(null, ended, List.of(Fields.doc("$set", set), History.unset(Fields.LEASE)));
        queue.scanStart().reset();
    }
}
