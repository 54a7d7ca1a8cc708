package dev.jono.backend.mongo;

import dev.jono.support.mongo.Transactions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
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

    /** The maximum number of messages that one check puts back. */
    private static final int MAX_KEYED = 1000;

    private final QueueCollection queue;
    private final Transactions transactions;
    private final AtomicLong nextNanos;

    ExpiredLeases(QueueCollection queue) {
        this.queue = queue;
        this.transactions = new Transactions(queue.link);
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
        BsonDocument expired = Fields.op("$and", Fields.isReserved(), Fields.isDue(queue.dueField));
        if (queue.layout.maxPerKey() == 0) {
            BsonValue due = Fields.field(queue.dueField);
            BsonDocument set =
                    Fields.doc(queue.dueField, Fields.op("$cond", expired, Fields.dueBefore(queue.dueField), due));
            queue.update(null, ended, List.of(Fields.doc("$set", set), History.unset(List.of(Fields.LEASE))));
        } else {
            putBackKeyed(ended, expired);
        }
        queue.scanStart().reset();
    }

    /**
     * Puts messages of a keyed queue back in a transaction. A process that died within a transaction keeps its messages
     * from being changed for a while: these come later, and the caller does not wait for them.
     */
    private void putBackKeyed(BsonDocument ended, BsonDocument expired) {
        // A message that follows another one of its key waits for it.
        BsonDocument follows = Fields.op("$gt", Fields.field(Fields.FOLLOWS), BsonNull.VALUE);
        BsonDocument blocks = Fields.op("$and", expired, follows);
        BsonDocument due = Fields.dueBefore(queue.dueField);
        BsonDocument at = Fields.op(
                "$cond", blocks, Fields.REMOVE_FIELD, Fields.op("$cond", expired, due, Fields.field(queue.dueField)));
        BsonDocument set = Fields.doc(queue.dueField, at)
                .append(Fields.BLOCKED, Fields.op("$cond", blocks, due, Fields.field(Fields.BLOCKED)));
        List<BsonDocument> change = List.of(Fields.doc("$set", set), History.unset(List.of(Fields.LEASE)));
        List<BsonValue> ids = QueueCollection.ids(queue.find(null, ended).limit(MAX_KEYED));
        changeOrSplit(ended, ids, change);
    }

    private void changeOrSplit(BsonDocument ended, List<BsonValue> ids, List<BsonDocument> change) {
        if (!changed(ended, ids, change) && ids.size() > 1) {
            int half = ids.size() / 2;
            changeOrSplit(ended, ids.subList(0, half), change);
            changeOrSplit(ended, ids.subList(half, ids.size()), change);
        }
    }

    /** Whether a change was made. It is not made if another transaction has changed one of the messages. */
    private boolean changed(BsonDocument ended, List<BsonValue> ids, List<BsonDocument> change) {
        BsonDocument filter = ended.clone();
        filter.put(Fields.ID, Fields.in(ids));
        return transactions
                .attempt("reserve", queue.queueName, session -> queue.update(session, filter, change), outcome -> {})
                .isPresent();
    }
}
