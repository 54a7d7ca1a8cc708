package dev.jono.backend.mongo;

import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.RepeatableCalls;
import dev.jono.support.mongo.RepeatedReads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Takes or claims several messages of one queue. Blocks the calling thread; thread-safe.
 *
 * <p>It finds due messages, marks those that are still due with the token of the call, and reads back which messages
 * carry the token. Other processes may mark some of them first; only messages with the token belong to the call. There
 * is no transaction: if the process died, its transaction would block the messages for a minute.
 *
 * <p>While no other process competes, the search reads whole messages, and the marking requires that they are
 * unchanged. If it then marks all of them, only the time of the marking must be read back.
 */
final class BatchClaim {
    private static final int ATTEMPTS = 20;

    private final QueueCollection queue;
    private final Candidates candidates;
    private final ClaimSpread spread = new ClaimSpread();
    private final @Nullable KeyedClaims keyed;

    BatchClaim(QueueCollection queue, Candidates candidates) {
        this.queue = queue;
        this.candidates = candidates;
        this.keyed = queue.layout.maxPerKey() == 0 ? null : new KeyedClaims(queue);
    }

    /** Runs one call for at most {@code max} messages. */
    ClaimedBatch run(ClaimCall call, int max, RepeatableCalls.Running<ClaimResult> running) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int skip = spread.chooseBatch() * max;
            boolean whole = spread.uncontended();
            Candidates.Search search = candidates.find(max, skip, whole);
            List<StoredDocument> due = search.found();
            if (due.isEmpty() && skip == 0) {
                break;
            }
            if (due.isEmpty()) {
                spread.reset();
                continue;
            }
            if (keyed != null && keyed.prepare(call.step(), due)) {
                continue;
            }
            List<StoredDocument> chosen = call.select(due);
            boolean more = chosen.size() < due.size() || (search.full() && due.size() < max);
            ClaimedBatch claimed = mark(call, chosen, more, whole, running);
            spread.recordClaim(claimed.messages().size(), chosen.size());
            if (!claimed.messages().isEmpty()) {
                return claimed;
            }
        }
        return new ClaimedBatch(List.of(), false, queue.link.time().nowMillis());
    }

    private ClaimedBatch mark(
            ClaimCall call,
            List<StoredDocument> chosen,
            boolean more,
            boolean whole,
            RepeatableCalls.Running<ClaimResult> running) {
        boolean alike = whole && alike(chosen);
        BsonDocument filter = alike ? unchanged(chosen) : queue.due(queue.live());
        filter.put(Fields.ID, Fields.in(ids(chosen)));
        long sentNanos = queue.link.lastKnownTime().nanos();
        running.onRepeat(() -> recover(call, chosen, more, sentNanos, running));
        BsonDocument marks = call.marks(alike ? chosen.get(0) : null);
        boolean all = queue.update(null, filter, List.of(Fields.doc("$set", marks))) == chosen.size();
        return queue.afterChange(call.step(), () -> {
            ClaimedBatch asFound = alike && all ? call.markedAsFound(chosen, more) : null;
            ClaimedBatch marked = asFound == null ? readBack(call, chosen, more) : asFound;
            return marked.messages().isEmpty() ? marked : call.complete(marked, sentNanos, false, running);
        });
    }

    /** The answer to the marking was lost: messages that carry the token belong to the call. */
    private Optional<ClaimResult> recover(
            ClaimCall call,
            List<StoredDocument> chosen,
            boolean more,
            long sentNanos,
            RepeatableCalls.Running<ClaimResult> running) {
        ClaimedBatch claimed = queue.call(call.step(), true, () -> {
            ClaimedBatch marked = readBack(call, chosen, more);
            queue.awaitMajority(); // the server that answers may have lost its majority
            return marked.messages().isEmpty() ? marked : call.complete(marked, sentNanos, true, running);
        });
        return claimed.messages().isEmpty() ? Optional.empty() : Optional.of(claimed.result(0));
    }

    private static List<BsonValue> ids(List<StoredDocument> chosen) {
        return chosen.stream().map(StoredDocument::id).toList();
    }

    /**
     * Whether the marking can require that all messages are unchanged: none is reserved, all have the same tries, and all or none were
     * given back.
     */
    private static boolean alike(List<StoredDocument> chosen) {
        StoredDocument first = chosen.get(0);
        return first.tries() < Integer.MAX_VALUE
                && chosen.stream()
                        .allMatch(found -> found.reservedMillis() == null
                                && found.tries() == first.tries()
                                && found.givenBack() == first.givenBack());
    }

    /** Selects messages that were not reserved, moved or delayed since the search. Their due times have all passed. */
    private BsonDocument unchanged(List<StoredDocument> chosen) {
        BsonDocument filter = queue.live();
        filter.put(
                queue.dueField,
                Fields.doc("$lte", Fields.date(chosen.get(chosen.size() - 1).matureMillis())));
        filter.put(Fields.RESERVED, Fields.exists(false));
        filter.put(Fields.RELEASED_BY, Fields.exists(chosen.get(0).givenBack()));
        BsonInt32 tries = new BsonInt32(chosen.get(0).tries());
        filter.put(Fields.TRIES, tries.getValue() == 0 ? Fields.in(List.of(tries, BsonNull.VALUE)) : tries);
        return filter;
    }

    /** Reads the messages that carry the token of the call. */
    private ClaimedBatch readBack(ClaimCall call, List<StoredDocument> chosen, boolean more) {
        BsonDocument filter = queue.live(ids(chosen));
        filter.put(queue.layout.tokenField(), new BsonInt64(call.token()));
        Map<BsonValue, StoredDocument> marked = new HashMap<>();
        long bytes = 0;
        for (RawBsonDocument document :
                RepeatedReads.all(queue.documents.find(filter).batchSize(chosen.size() + 1))) {
            bytes += document.getByteBuffer().remaining();
            StoredDocument read = StoredDocument.read(document);
            marked.put(read.id(), read);
        }
        candidates.recordSize(marked.size(), bytes);
        List<StoredMessage> messages = new ArrayList<>();
        long now = 0;
        for (StoredDocument found : chosen) {
            StoredDocument after = marked.get(found.id());
            if (after != null && after.reservedMillis() != null) {
                now = after.reservedMillis();
                messages.add(call.message(found, after));
            }
        }
        return new ClaimedBatch(
                messages, more, messages.isEmpty() ? queue.link.time().nowMillis() : now);
    }
}
