package dev.jono.backend.mongo;

import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.MessageIds;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;

/**
 * The last step of a take: removes the messages that it marked. While the lease of the marks lasts, no other process
 * can get them. If this process stalled for a long time, it removes each message by itself: a message that is gone then
 * belongs to another process. If all are gone, an earlier attempt of this call removed them. It never returns a message
 * of another process.
 */
final class MarkedRemoval {
    /** If a process dies during a take, its marked messages are due again after this time. */
    static final long LEASE_MILLIS = 30_000;
    /** After this time that lease may end soon. */
    private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final QueueCollection queue;

    MarkedRemoval(QueueCollection queue) {
        this.queue = queue;
    }

    /**
     * Removes messages.
     *
     * @param token the mark
     * @param sentNanos a time before the marking
     * @param repeated whether an earlier attempt may have removed them
     * @return the messages that belong to the caller
     */
    List<StoredMessage> remove(long token, List<StoredMessage> marked, long sentNanos, boolean repeated) {
        List<BsonValue> ids = marked.stream().map(MarkedRemoval::id).toList();
        if (queue.link.lastKnownTime().nanos() - sentNanos < STALLED_NANOS) {
            long removed = remove(token, ids);
            return removed == ids.size()
                    ? marked
                    : queue.afterChange("pop", () -> withoutPresent(marked, removed > 0 || repeated, ids));
        }
        List<StoredMessage> removed = marked.stream()
                .filter(message -> remove(token, List.of(id(message))) == 1)
                .toList();
        boolean removedBefore = repeated && removed.isEmpty() && present(ids).isEmpty();
        return removedBefore ? marked : removed;
    }

    private static BsonValue id(StoredMessage message) {
        return MessageIds.value(message.id());
    }

    private long remove(long token, List<BsonValue> ids) {
        BsonDocument filter = queue.live(ids);
        filter.put(queue.layout.tokenField(), new BsonInt64(token));
        return queue.consume(null, filter, false);
    }

    /**
     * Some messages were not there any more with the mark, although its lease lasts. An earlier attempt removed them, a
     * deletion of the queue undid the mark, or this process stalled between the check of the clock and the removal. In
     * the last two cases the messages that are still present do not belong to this call.
     *
     * @param removedAny whether this call may have removed any
     */
    private List<StoredMessage> withoutPresent(List<StoredMessage> marked, boolean removedAny, List<BsonValue> ids) {
        if (!removedAny) {
            return List.of();
        }
        Set<BsonValue> present = present(ids);
        return marked.stream().filter(message -> !present.contains(id(message))).toList();
    }

    private Set<BsonValue> present(List<BsonValue> ids) {
        return new HashSet<>(QueueCollection.ids(queue.find(null, queue.live(ids))));
    }
}
