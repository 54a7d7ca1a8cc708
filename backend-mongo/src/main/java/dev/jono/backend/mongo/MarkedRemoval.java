package dev.jono.backend.mongo;

import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.CallTokens;
import dev.jono.support.mongo.MessageIds;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;

/**
 * The last step of a take: consumes what it has marked. While the lease of the marking lasts nobody else can have got any of it.
 * After a long stall each message is asked for by itself, and those that are gone are others' by now; unless all are, as an
 * attempt before leaves them.
 */
final class MarkedRemoval {
    /** A take that dies between its steps gives the messages back after this time. */
    static final long LEASE_MILLIS = 30_000;
    /** Behind so long the end of that lease may be near. */
    private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final QueueCollection queue;

    MarkedRemoval(QueueCollection queue) {
        this.queue = queue;
    }

    /**
     * Removes them.
     *
     * @param token of the call that marked them
     * @param sentNanos before the marking
     * @param again whether an attempt before may have removed them
     * @return those that are the caller's
     */
    List<StoredMessage> remove(String token, List<StoredMessage> marked, long sentNanos, boolean again) {
        BsonInt64 mark = new BsonInt64(CallTokens.hash(token));
        List<BsonValue> ids = marked.stream().map(MarkedRemoval::id).toList();
        if (queue.link.timeAsSeen().nanos() - sentNanos < STALLED_NANOS) {
            long removed = remove(mark, ids);
            return removed == ids.size() || again ? marked : without(marked, removed, ids);
        }
        List<StoredMessage> removed = marked.stream()
                .filter(message -> remove(mark, List.of(id(message))) == 1)
                .toList();
        boolean before = again && removed.isEmpty() && held(ids).isEmpty();
        return before ? marked : removed;
    }

    private static BsonValue id(StoredMessage message) {
        return MessageIds.value(message.id());
    }

    private long remove(BsonInt64 mark, List<BsonValue> ids) {
        BsonDocument mine = queue.live(ids);
        mine.put(Fields.TOKEN, mark);
        return queue.consume(null, mine, false);
    }

    /** This process stood still between looking at the clock and the removal: what others hold is theirs. */
    private List<StoredMessage> without(List<StoredMessage> marked, long removed, List<BsonValue> ids) {
        Set<BsonValue> others = held(ids);
        return marked.stream()
                .filter(message -> removed > 0 && !others.contains(id(message)))
                .toList();
    }

    private Set<BsonValue> held(List<BsonValue> ids) {
        Set<BsonValue> held = new HashSet<>();
        queue.find(null, queue.live(ids))
                .projection(Fields.doc(Fields.ID, Fields.ONE))
                .forEach(document -> held.add(document.get(Fields.ID)));
        return held;
    }
}
