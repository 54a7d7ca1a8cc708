package dev.jono.backend.mongo;

import dev.jono.StorageException;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.Receipt;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.CallTokens;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.RepeatableCalls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Takes and claims: find the messages, mark those that are still due with a token, read back which were marked. Others may
 * get some of them in between; what is got is what carries the token. A take then deletes them. No transaction: one that is
 * cut off by the death of its process would hold its messages for a minute.
 *
 * <p>While nobody is in the way the messages are read whole at once, and marked on the condition that they are as they
 * were; if as many are marked as were found, there is nothing to read back but the time of the marking.
 */
final class Claims {
    private static final int ATTEMPTS = 20;

    private final QueueCollection queue;
    private final ExpiredLeases expired;
    private final Candidates candidates;
    private final SingleMessageCommand single;
    private final MarkedRemoval markedRemoval;

    private final ClaimSpread spread = new ClaimSpread();

    Claims(QueueCollection queue) {
        this.queue = queue;
        this.expired = new ExpiredLeases(queue);
        this.candidates = new Candidates(queue);
        this.single = new SingleMessageCommand(queue);
        this.markedRemoval = new MarkedRemoval(queue);
    }

    ClaimResult take(ClaimRequest request) {
        return queue.memory().takes.run(request.token(), way -> found(request, true, way));
    }

    ClaimResult claim(ClaimRequest request) {
        ClaimResult result = queue.memory().claims.run(request.token(), way -> found(request, false, way));
        if (!result.messages().isEmpty()) {
            expired.leaseStarted(request.leaseMillis());
        }
        return result;
    }

    /** Messages that were found, whether there are more, and the server's clock. */
    private record Batch(List<StoredMessage> messages, boolean more, long nowMillis) {
        ClaimResult result(long nextMillis) {
            return ClaimResult.builder()
                    .messages(messages)
                    .nextMillis(nextMillis)
                    .storageMillis(nowMillis)
                    .build();
        }
    }

    private ClaimResult found(ClaimRequest request, boolean take, RepeatableCalls.Way<ClaimResult> way) {
        String step = take ? "pop" : "reserve";
        expired.putBack(step);
        int max = candidates.limit(request.max());
        if (max == 1 && single.supports(take)) {
            return take ? single(way) : single(request, way);
        }
        Batch batch = queue.call(step, true, () -> found(request, max, take, way));
        if (batch.more() || batch.messages().size() >= max) {
            return batch.result(0);
        }
        return batch.result(batch.messages().isEmpty() ? next(step) : nextOrNow(step));
    }

    private long next(String step) {
        return queue.call(step, false, () -> Counts.nextMillis(queue));
    }

    /** Behind messages that are in hand: a look that fails must not take them along. */
    private long nextOrNow(String step) {
        try {
            return next(step);
        } catch (StorageException failure) {
            return 0; // asked again at once, the next claim meets it with nothing in hand
        }
    }

    private ClaimResult single(RepeatableCalls.Way<ClaimResult> way) {
        Function<Optional<StoredDocument>, ClaimResult> result =
                one -> single("pop", one, found -> found.message().build());
        return result.apply(queue.call("pop", true, () -> {
            queue.link.time(); // asked now: once a message is removed, nothing may fail any more
            return single.take(later -> way.leave(() -> later.get().map(result)));
        }));
    }

    private ClaimResult single(ClaimRequest request, RepeatableCalls.Way<ClaimResult> way) {
        BsonDocument set = claiming(request, false, null);
        set.put(Fields.PREVIOUS_RESERVED, Fields.field(Fields.RESERVED));
        Function<Optional<StoredDocument>, ClaimResult> result = one -> single("reserve", one, found -> claimed(request, found));
        return result.apply(queue.call("reserve", true, () -> {
            queue.link.time(); // asked now: once a message is marked, nothing may fail any more
            return single.claim(
                    pipeline(set), later -> way.leave(() -> later.get().map(result)));
        }));
    }

    private ClaimResult single(String step, Optional<StoredDocument> one, Function<StoredDocument, StoredMessage> message) {
        long now = queue.link.timeAsSeen().nowMillis();
        if (one.isEmpty()) {
            return new Batch(List.of(), false, now).result(next(step));
        }
        StoredDocument found = one.get();
        candidates.recordSize(1, found.payload().size());
        StoredMessage got = message.apply(found);
        boolean reserved = got.state() == StoredMessage.State.RESERVED;
        return new Batch(List.of(got), false, reserved ? found.requireReservedMillis() : now).result(0);
    }

    /** As the marking has left it. */
    private static StoredMessage claimed(ClaimRequest request, StoredDocument marked) {
        int tries = Math.max(0, marked.tries() - 1);
        boolean expired = marked.previousReservedMillis() != null;
        return claimed(
                marked.id(),
                expired,
                marked.message().tries(tries),
                marked.matureMillis(),
                new Fence(CallTokens.hash(request.token()), marked.requireReservedMillis()),
                isolates(tries, expired, request));
    }

    private Batch found(ClaimRequest request, int max, boolean take, RepeatableCalls.Way<ClaimResult> way) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int skip = spread.chooseBatch() * max;
            boolean whole = spread.uncontended();
            Candidates.Search search = candidates.find(max, skip, whole);
            List<StoredDocument> all = search.found();
            if (all.isEmpty() && skip == 0) {
                break;
            }
            if (all.isEmpty()) {
                spread.reset();
                continue;
            }
            List<StoredDocument> chosen = take ? all : company(all, request);
            boolean more = chosen.size() < all.size() || (search.full() && all.size() < max);
            Batch got = marked(request, take, chosen, more, whole, way);
            spread.recordClaim(got.messages().size(), chosen.size());
            if (!got.messages().isEmpty()) {
                return got;
            }
        }
        return new Batch(List.of(), false, queue.link.time().nowMillis());
    }

    private static boolean isolates(StoredDocument found, ClaimRequest request) {
        return isolates(found.tries(), found.reservedMillis() != null, request);
    }

    private static boolean isolates(int tries, boolean expired, ClaimRequest request) {
        return tries >= request.isolateTries() || (expired && tries >= request.isolateExpiredTries());
    }

    /** Those before the first that is to be alone; it alone, if it is the first. */
    private static List<StoredDocument> company(List<StoredDocument> found, ClaimRequest request) {
        for (int i = 0; i < found.size(); i++) {
            if (isolates(found.get(i), request)) {
                return found.subList(0, Math.max(1, i));
            }
        }
        return found;
    }

    private Batch marked(
            ClaimRequest request,
            boolean take,
            List<StoredDocument> chosen,
            boolean more,
            boolean whole,
            RepeatableCalls.Way<ClaimResult> way) {
        boolean alike = whole && alike(chosen);
        List<BsonValue> ids = chosen.stream().map(StoredDocument::id).toList();
        BsonDocument filter = alike ? asFound(chosen) : Fields.due(queue.live());
        filter.put(Fields.ID, Fields.in(ids));
        // If the answer to the marking is lost: what carries the token is ours.
        long sentNanos = queue.link.timeAsSeen().nanos();
        way.leave(() -> {
            Batch late = queue.call(take ? "pop" : "reserve", true, () -> {
                Batch marked = ours(request, take, chosen, more);
                queue.awaitMajority(); // the server that answers may have lost its majority
                if (take && !marked.messages().isEmpty()) {
                    leaveRemoval(request, marked, sentNanos, way);
                    return consumed(request, marked, sentNanos, true);
                }
                return marked;
            });
            return late.messages().isEmpty() ? Optional.empty() : Optional.of(late.result(0));
        });
        boolean all = queue.update(null, filter, pipeline(claiming(request, take, alike ? chosen.get(0) : null)))
                == chosen.size();
        return queue.afterChange(take ? "pop" : "reserve", () -> {
            Batch known = alike && all ? asFound(request, take, chosen, more) : null;
            Batch got = known == null ? ours(request, take, chosen, more) : known;
            if (take && !got.messages().isEmpty()) {
                leaveRemoval(request, got, sentNanos, way);
                return consumed(request, got, sentNanos, false);
            }
            return got;
        });
    }

    /**
     * How messages are marked.
     *
     * @param like one of them, where the condition of the marking is that all are as this one: then less has to be worked out for
     *     each; else null
     */
    private static BsonDocument claiming(ClaimRequest request, boolean take, @Nullable StoredDocument like) {
        BsonValue leaseEnd = Fields.fromNow(take ? MarkedRemoval.LEASE_MILLIS : request.leaseMillis());
        BsonDocument set = new BsonDocument(Fields.MATURE, leaseEnd);
        set.put(Fields.RESERVED, Fields.NOW);
        set.put(Fields.TOKEN, new BsonInt64(CallTokens.hash(request.token())));
        if (take) {
            // Not in the index of leases, which would cost a third of a pop: it is gone again at once.
            set.put(Fields.TAKEN, BsonBoolean.TRUE);
            set.put(Fields.LEASE, Fields.REMOVE_FIELD);
            set.put(Fields.DUE_BEFORE, Fields.REMOVE_FIELD);
        } else {
            set.put(Fields.LEASE, leaseEnd);
            set.put(Fields.DUE_BEFORE, like == null ? Fields.dueBefore() : Fields.field(Fields.MATURE));
            set.put(Fields.TAKEN, Fields.REMOVE_FIELD);
            set.put(Fields.TRIES, like == null ? oneMore() : new BsonInt32(like.tries() + 1));
        }
        return set;
    }

    private static List<BsonDocument> pipeline(BsonDocument set) {
        return List.of(Fields.doc("$set", set));
    }

    private static BsonDocument oneMore() {
        BsonDocument number = Fields.doc("$isNumber", Fields.field(Fields.TRIES));
        BsonDocument more = Fields.op("$add", Fields.field(Fields.TRIES), Fields.ONE);
        return Fields.op("$cond", number, more, Fields.ONE);
    }

    /** Whether it can be a condition of the marking that they are as they were: never reserved, and tried as often. */
    private static boolean alike(List<StoredDocument> chosen) {
        int tries = chosen.get(0).tries();
        return tries < Integer.MAX_VALUE
                && chosen.stream().allMatch(found -> found.reservedMillis() == null && found.tries() == tries);
    }

    /** What nobody has reserved, moved or given back with a delay since; of these due times all have come. */
    private BsonDocument asFound(List<StoredDocument> chosen) {
        BsonDocument filter = queue.live();
        filter.put(
                Fields.MATURE,
                Fields.doc("$lte", Fields.date(chosen.get(chosen.size() - 1).matureMillis())));
        filter.put(Fields.RESERVED, Fields.exists(false));
        BsonInt32 tries = new BsonInt32(chosen.get(0).tries());
        filter.put(Fields.TRIES, tries.getValue() == 0 ? Fields.in(List.of(tries, BsonNull.VALUE)) : tries);
        return filter;
    }

    /** All of them, as they were found, with the time of their marking, which is one for all; null if it is not there. */
    private @Nullable Batch asFound(ClaimRequest request, boolean take, List<StoredDocument> chosen, boolean more) {
        if (take) {
            List<StoredMessage> messages =
                    chosen.stream().map(found -> found.message().build()).toList();
            return new Batch(messages, more, queue.link.time().nowMillis());
        }
        long token = CallTokens.hash(request.token());
        BsonDocument filter = queue.live(List.of(chosen.get(0).id()));
        filter.put(Fields.TOKEN, new BsonInt64(token));
        RawBsonDocument first = queue.documents
                .find(filter)
                .projection(Fields.doc(Fields.RESERVED, Fields.ONE).append(Fields.MATURE, Fields.ONE))
                .first();
        if (first == null) {
            return null;
        }
        Fence fence = new Fence(token, first.getDateTime(Fields.RESERVED).getValue());
        long leaseEnd = first.getDateTime(Fields.MATURE).getValue();
        boolean isolated = isolates(chosen.get(0), request);
        List<StoredMessage> messages = chosen.stream()
                .map(found ->
                        claimed(found.id(), found.reservedMillis() != null, found.message(), leaseEnd, fence, isolated))
                .toList();
        return new Batch(messages, more, fence.reservedMillis());
    }

    /** Those that carry the token of the call. */
    private Batch ours(ClaimRequest request, boolean take, List<StoredDocument> chosen, boolean more) {
        long token = CallTokens.hash(request.token());
        BsonDocument filter = queue.live(chosen.stream().map(StoredDocument::id).toList());
        filter.put(Fields.TOKEN, new BsonInt64(token));
        Map<BsonValue, StoredDocument> marked = new HashMap<>();
        long bytes = 0;
        for (RawBsonDocument document : queue.documents.find(filter).batchSize(chosen.size() + 1)) {
            bytes += document.getByteBuffer().remaining();
            StoredDocument found = StoredDocument.read(document);
            marked.put(found.id(), found);
        }
        candidates.recordSize(marked.size(), bytes);
        boolean isolated = !take && isolates(chosen.get(0), request);
        List<StoredMessage> messages = new ArrayList<>();
        long now = 0;
        for (StoredDocument before : chosen) {
            StoredDocument after = marked.get(before.id());
            if (after != null && after.reservedMillis() != null) {
                now = after.reservedMillis();
                messages.add(
                        take
                                ? after.message()
                                        .dueMillis(before.realDueMillis())
                                        .build()
                                : claimed(
                                        before.id(),
                                        before.reservedMillis() != null,
                                        after.message().tries(Math.max(0, after.tries() - 1)),
                                        after.matureMillis(),
                                        new Fence(token, now),
                                        isolated));
            }
        }
        return new Batch(messages, more, messages.isEmpty() ? queue.link.time().nowMillis() : now);
    }

    private static StoredMessage claimed(
            BsonValue id,
            boolean expired,
            StoredMessage.Builder message,
            long leaseEndMillis,
            Fence fence,
            boolean isolated) {
        return message.leaseEndMillis(leaseEndMillis)
                .state(StoredMessage.State.RESERVED)
                .expired(expired)
                .isolated(isolated)
                .receipt(Receipt.of(MessageIds.text(id), fence.text()))
                .build();
    }

    private void leaveRemoval(
            ClaimRequest request, Batch marked, long sentNanos, RepeatableCalls.Way<ClaimResult> way) {
        way.leave(() -> Optional.of(queue.call("pop", true, () -> consumed(request, marked, sentNanos, true))
                .result(0)));
    }

    /** Of what a take has marked, what is removed and its own. */
    private Batch consumed(ClaimRequest request, Batch marked, long sentNanos, boolean again) {
        List<StoredMessage> removed = markedRemoval.remove(request.token(), marked.messages(), sentNanos, again);
        boolean all = removed.size() == marked.messages().size();
        return all ? marked : new Batch(removed, true, marked.nowMillis());
    }
}
