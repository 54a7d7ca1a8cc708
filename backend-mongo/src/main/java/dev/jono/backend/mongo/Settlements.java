package dev.jono.backend.mongo;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.WriteModel;
import dev.jono.spi.Due;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.ServerTime;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.support.mongo.CallTokens;
import dev.jono.support.mongo.LeaseMargin;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.RepeatableCalls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Ends and changes reservations: the fences are read, and what is still this holder's is changed in a command that names
 * them again. So nothing of another's is ever changed. Leases that may end before its result is known are extended
 * first ({@link LeaseMargin}). A move of several steps is a transaction.
 */
final class Settlements {
    /** What a command takes a message out of, and so what a look behind it can tell. */
    enum Effect {
        /** The queue: it is not there any more. */
        LEAVES_QUEUE,
        /** Its holder's hands: it is there, but the fence is not. */
        ENDS_RESERVATION,
        /** Nothing: the fence is still there. */
        KEEPS_RESERVATION
    }

    private final QueueCollection queue;

    Settlements(QueueCollection queue) {
        this.queue = queue;
    }

    /** Needs no memory of the call where it is one command: a message that is gone is what a repeat expects. */
    SettleResult ack(SettleRequest request) {
        List<Receipt> receipts = request.receipts();
        if (receipts.isEmpty()) {
            return SettleResult.builder().build();
        }
        if (receipts.size() == 1) {
            return queue.call("ack", true, () -> {
                queue.link.time(); // asked now: once a message is removed, nothing may fail any more
                Fence fence = Fence.of(receipts.get(0));
                BsonDocument one = queue.live();
                one.put(Fields.ID, MessageIds.value(receipts.get(0).id()));
                boolean done = fence != null && queue.consumeOne(null, fence.on(one), false);
                return done ? result(List.of(Outcome.DONE)) : result(checkFences(null, receipts, request.token()).outcomes);
            });
        }
        return settle("ack", request.token(), receipts, item -> Effect.LEAVES_QUEUE, this::consumed);
    }

    /** A command for each claim: behind the first of them something is done. */
    private long consumed(FenceCheck check) {
        long consumed = 0;
        for (Map.Entry<Fence, List<BsonValue>> claim : check.idsByFence.entrySet()) {
            BsonDocument its = claim.getKey().on(queue.live(claim.getValue()));
            consumed += consumed == 0
                    ? queue.consume(null, its, false)
                    : queue.afterChange("ack", () -> queue.consume(null, its, false));
        }
        return consumed;
    }

    SettleResult extend(ExtendRequest request) {
        return settle(
                "extend",
                request.token(),
                request.receipts(),
                item -> Effect.KEEPS_RESERVATION,
                check -> extended(check, request.leaseMillis()));
    }

    private long extended(FenceCheck check, long leaseMillis) {
        BsonDocument set = Fields.doc(Fields.MATURE, Fields.fromNow(leaseMillis))
                .append(Fields.LEASE, Fields.fromNow(leaseMillis));
        List<WriteModel<RawBsonDocument>> models = new ArrayList<>();
        check.idsByFence.forEach((fence, ids) ->
                models.add(new UpdateManyModel<>(fence.on(queue.live(ids)), List.of(Fields.doc("$set", set)))));
        return queue.write(null, models);
    }

    SettleResult release(ReleaseRequest request) {
        List<Receipt> receipts =
                request.items().stream().map(ReleaseRequest.Item::receipt).toList();
        SettleResult result = settle("release", request.token(), receipts, item -> Effect.ENDS_RESERVATION, check -> {
            Map<List<BsonDocument>, Map<Fence, List<BsonValue>>> alike = new LinkedHashMap<>();
            for (int i = 0; i < receipts.size(); i++) {
                Fence fence = check.fences.get(i);
                if (fence != null) {
                    alike.computeIfAbsent(
                                    releasing(request.items().get(i), request.token()), change -> new LinkedHashMap<>())
                            .computeIfAbsent(fence, f -> new ArrayList<>())
                            .add(check.ids.get(i));
                }
            }
            List<WriteModel<RawBsonDocument>> models = new ArrayList<>();
            alike.forEach((change, groups) -> groups.forEach(
                    (fence, ids) -> models.add(new UpdateManyModel<>(fence.on(queue.live(ids)), change))));
            return queue.write(null, models);
        });
        queue.scanStart().reset();
        return result;
    }

    private static List<BsonDocument> releasing(ReleaseRequest.Item item, String token) {
        Due due = item.due();
        BsonDocument set = Fields.doc(Fields.RELEASED_BY, new BsonInt64(CallTokens.hash(token)));
        if (due == null) {
            set.put(Fields.MATURE, Fields.op("$ifNull", Fields.field(Fields.DUE_BEFORE), Fields.field(Fields.MATURE)));
        } else {
            set.put(Fields.MATURE, due.absolute() ? Fields.date(due.millis()) : Fields.fromNow(due.millis()));
        }
        if (!item.counted()) {
            BsonDocument fewer = Fields.op("$subtract", Fields.field(Fields.TRIES), Fields.ONE);
            set.put(Fields.TRIES, Fields.op("$max", new BsonInt32(0), fewer));
        }
        BsonDocument unset = due == null
                ? History.unset(Fields.RESERVED, Fields.TOKEN, Fields.LEASE, Fields.DUE_BEFORE, Fields.PREVIOUS_RESERVED, Fields.TAKEN)
                : History.unset(
                        Fields.RESERVED,
                        Fields.TOKEN,
                        Fields.LEASE,
                        Fields.DUE_BEFORE,
                        Fields.PREVIOUS_RESERVED,
                        Fields.TAKEN,
                        Fields.EXACT_DUE);
        return List.of(Fields.doc("$set", set), unset);
    }

    /** The receipts of a request that are still their holder's, and what is known of the others. */
    static final class FenceCheck {
        final List<BsonValue> ids = new ArrayList<>();
        /** Null where it is not this holder's any more. */
        final List<@Nullable Fence> fences = new ArrayList<>();

        final List<Outcome> outcomes = new ArrayList<>();
        /** Each message once. */
        final Map<Fence, List<BsonValue>> idsByFence = new LinkedHashMap<>();
        /** When the first of their leases ends. */
        long firstLeaseEndMillis = Long.MAX_VALUE;

        long heldCount() {
            return idsByFence.values().stream().mapToLong(List::size).sum();
        }
    }

    /**
     * Reads the fences, then does it to those that hold. Each change names its fence again.
     *
     * @param effect what it takes an item's message out of
     * @param change tells to how many messages it was done
     */
    SettleResult settle(
            String step, String token, List<Receipt> receipts, IntFunction<Effect> effect, ToLongFunction<FenceCheck> change) {
        return once(step, token, receipts, way -> {
            ServerTime time = queue.link.time(); // asked now, and not when something is done already
            FenceCheck check = checkFences(null, receipts, token);
            if (check.heldCount() > 1 && LeaseMargin.endsSoon(check.firstLeaseEndMillis, time.latestMillis())) {
                extended(check, LeaseMargin.EXTENDED_MILLIS);
                check = checkFences(null, receipts, token);
            }
            long held = check.heldCount();
            long changed = held == 0 ? 0 : change.applyAsLong(check);
            if (changed < held) {
                FenceCheck before = check;
                queue.afterChange(step, () -> {
                    correct(step, before, checkFences(null, receipts, token), effect, changed);
                    return before;
                });
            }
            if (held < receipts.size()) {
                // An attempt before may have done it on a server that has lost the majority since.
                queue.afterChange(step, queue::awaitMajority);
            }
            return result(check.outcomes);
        });
    }

    /** Finds out which items a change has reached and which ones others had taken: by what is there now, and by their number. */
    private void correct(String step, FenceCheck before, FenceCheck after, IntFunction<Effect> effect, long changed) {
        Set<BsonValue> done = new HashSet<>();
        Set<BsonValue> either = new HashSet<>();
        for (int i = 0; i < before.outcomes.size(); i++) {
            if (before.fences.get(i) == null) {
                continue;
            }
            Outcome now = after.outcomes.get(i);
            if (now == Outcome.DONE) {
                done.add(before.ids.get(i));
            } else if (effect.apply(i) == Effect.ENDS_RESERVATION || (effect.apply(i) == Effect.LEAVES_QUEUE && now == Outcome.GONE)) {
                either.add(before.ids.get(i));
            }
        }
        long left = changed - done.size();
        if (left > 0 && left < either.size()) {
            throw MongoErrors.untold(step, queue.name);
        }
        for (int i = 0; i < before.outcomes.size(); i++) {
            boolean unsure = before.fences.get(i) != null && either.contains(before.ids.get(i));
            if (before.fences.get(i) != null && !(unsure && left > 0)) {
                before.outcomes.set(i, after.outcomes.get(i));
            }
        }
    }

    /** As {@link #settle}, for what takes several steps, which must all be done or none: in a transaction. */
    SettleResult settleInTransaction(
            String step, String token, List<Receipt> receipts, BiConsumer<ClientSession, FenceCheck> change) {
        return once(step, token, receipts, way -> {
            queue.link.time(); // asked now, and not when something is done already
            return queue.transactions()
                    .run(
                            step,
                            queue.name,
                            session -> {
                                FenceCheck check = checkFences(session, receipts, token);
                                if (!check.idsByFence.isEmpty()) {
                                    change.accept(session, check);
                                }
                                return result(check.outcomes);
                            },
                            way);
        });
    }

    private SettleResult once(
            String step,
            String token,
            List<Receipt> receipts,
            Function<RepeatableCalls.Way<SettleResult>, SettleResult> body) {
        if (receipts.isEmpty()) {
            return SettleResult.builder().build();
        }
        return queue.call(step, true, () -> queue.memory().settles.run(token, body));
    }

    private FenceCheck checkFences(@Nullable ClientSession session, List<Receipt> receipts, String token) {
        FenceCheck check = new FenceCheck();
        receipts.forEach(receipt -> check.ids.add(MessageIds.value(receipt.id())));
        BsonDocument fields = Fields.doc(Fields.RESERVED, Fields.ONE)
                .append(Fields.TOKEN, Fields.ONE)
                .append(Fields.MATURE, Fields.ONE)
                .append(Fields.RELEASED_BY, Fields.ONE);
        BsonInt64 call = new BsonInt64(CallTokens.hash(token));
        Map<BsonValue, BsonDocument> there = new HashMap<>();
        for (RawBsonDocument document :
                queue.find(session, queue.live(check.ids)).projection(fields).batchSize(receipts.size() + 1)) {
            there.put(document.get(Fields.ID), document);
        }
        Set<BsonValue> named = new HashSet<>();
        for (int i = 0; i < receipts.size(); i++) {
            BsonDocument document = there.get(check.ids.get(i));
            Fence fence = Fence.of(receipts.get(i));
            boolean holds = document != null && fence != null && fence.equals(Fence.in(document));
            check.fences.add(holds ? fence : null);
            // What a first attempt of this call gave back, whose answer was lost, is done.
            boolean before = document != null && call.equals(document.get(Fields.RELEASED_BY));
            check.outcomes.add(holds || before ? Outcome.DONE : document == null ? Outcome.GONE : Outcome.STALE);
            if (document != null && fence != null && holds && named.add(check.ids.get(i))) {
                check.idsByFence.computeIfAbsent(fence, f -> new ArrayList<>()).add(check.ids.get(i));
                check.firstLeaseEndMillis = Math.min(check.firstLeaseEndMillis, endMillis(document));
            }
        }
        return check;
    }

    private static long endMillis(BsonDocument held) {
        BsonValue end = held.get(Fields.MATURE);
        return end != null && end.isDateTime() ? end.asDateTime().getValue() : 0;
    }

    private SettleResult result(List<Outcome> outcomes) {
        return SettleResult.builder()
                .outcomes(outcomes)
                .storageMillis(queue.link.timeAsSeen().nowMillis())
                .build();
    }
}
