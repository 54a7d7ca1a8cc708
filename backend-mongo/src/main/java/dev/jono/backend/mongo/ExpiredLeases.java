package dev.jono.backend.mongo;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;

/**
 * Puts what came back by expiry into its old place. A reservation stands where its lease ends, behind what came in
 * meanwhile; it is looked for before a claim, when the first lease may have ended. Its fence stays, so that its holder may still
 * settle it until another claims it.
 *
 * <p>A look walks over what the index still holds of leases that were settled in the last minutes, so it costs some milliseconds
 * where many are: as long as the first lease lasts there are few, for the sake of shorter ones of other processes.
 */
final class ExpiredLeases {
    private static final long SHORTEST_MILLIS = 50;
    private static final long LONGEST_MILLIS = 250;

    private final QueueCollection queue;
    private final AtomicLong nextNanos;

    ExpiredLeases(QueueCollection queue) {
        this.queue = queue;
        this.nextNanos = new AtomicLong(queue.link.timeAsSeen().nanos());
    }

    /** A lease of ours begins, which may be the first to end. */
    void leaseStarted(long leaseMillis) {
        long end = in(leaseMillis);
        nextNanos.accumulateAndGet(end, (next, other) -> other - next < 0 ? other : next);
    }

    void putBack(String step) {
        long next = nextNanos.get();
        if (queue.link.timeAsSeen().nanos() - next < 0 || !nextNanos.compareAndSet(next, in(SHORTEST_MILLIS))) {
            return;
        }
        long waitMillis = queue.call(step, false, this::putBackExpired);
        nextNanos.set(in(Math.max(SHORTEST_MILLIS, Math.min(waitMillis, LONGEST_MILLIS))));
    }

    private long in(long millis) {
        return queue.link.timeAsSeen().nanos() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Puts back what has ended; returns how long until the next may. */
    private long putBackExpired() {
        BsonDocument held = queue.live();
        held.put(Fields.LEASE, Fields.doc("$gte", Fields.date(0)));
        RawBsonDocument first = queue.documents
                .find(held)
                .sort(Fields.doc(Fields.LEASE, Fields.ONE))
                .projection(Fields.doc(Fields.LEASE, Fields.ONE).append(StoredDocument.NOW, Fields.NOW))
                .first();
        if (first == null) {
            return LONGEST_MILLIS;
        }
        long now = Fields.millis(first, StoredDocument.NOW);
        long left = Fields.millis(first, Fields.LEASE) - now;
        if (left <= 0) {
            putBack(now);
        }
        return left;
    }

    private void putBack(long nowMillis) {
        BsonDocument ended = queue.live();
        ended.put(Fields.LEASE, Fields.doc("$lte", Fields.date(nowMillis)));
        BsonDocument over =
                Fields.op("$and", Fields.isReserved(), Fields.op("$lte", Fields.field(Fields.MATURE), Fields.NOW));
        BsonDocument set =
                Fields.doc(Fields.MATURE, Fields.op("$cond", over, Fields.dueBefore(), Fields.field(Fields.MATURE)));
        queue.update(null, ended, List.of(Fields.doc("$set", set), History.unset(Fields.LEASE)));
        queue.scanStart().reset();
    }
}
