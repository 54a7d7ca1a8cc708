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
import dev.jono.support.mongo.Transactions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/**
 * Ends and changes reservations. It reads the fences, then sends a change for those that hold. The change names its
 * fences again, so it never touches a reservation of another holder. Leases that may end before the result is known are
 * extended first ({@link LeaseMargin}). A move of several steps runs in a transaction. Blocks the calling thread;
 * thread-safe.
 */
final class Settlements {
    /** What a change does to a message. It decides what a later query can prove. */
    enum Effect {
        /** The message leaves the queue: a later query does not find it. */
        LEAVES_QUEUE,
        /** The reservation ends: a later query finds the message without its fence. */
        ENDS_RESERVATION,
        /** The reservation continues: a later query finds the fence. */
        KEEPS_RESERVATION
    }

    private final QueueCollection queue;
    private final boolean keyed;
    private final Transactions transactions;

    Settlements(QueueCollection queue) {
        this.queue = queue;
        this.keyed = queue.layout.maxPerKey() > 0;
        this.transactions = new Transactions(queue.link);
    }

    /**
     * An ack of one message is one command and needs no record of the call: its repetition expects that the message is
     * gone.
     */
    SettleResult ack(SettleRequest request) {
        List<Receipt> receipts = request.receipts();
        if (receipts.isEmpty()) {
            return SettleResult.builder().build();
        }
        if (keyed) {
            return settleInTransaction(
                    "ack", request.token(), receipts, (session, check) -> consumeAndPromote(session, check));
        }
        if (receipts.size() == 1) {
            return queue.call("ack", true, () -> ackOne(receipts, request.token()));
        }
        return settle("ack", request.token(), receipts, item -> Effect.LEAVES_QUEUE, this::consume);
    }

    private SettleResult ackOne(List<Receipt> receipts, String token) {
        queue.link.time(); // read now: after a message is removed, nothing may fail
        Fence fence = Fence.of(receipts.get(0));
        BsonDocument filter = queue.live();
        filter.put(Fields.ID, MessageIds.value(receipts.get(0).id()));
        boolean done = fence != null && queue.consumeOne(null, fence.on(filter, queue.layout), false);
        return result(done ? List.of(Outcome.DONE) : FenceCheck.read(queue, null, receipts, token).outcomes);
    }

    private OptionalLong consumeAndPromote(ClientSession session, FenceCheck check) {
        KeyGroups groups = new KeyGroups(queue, session, check.keyDocuments);
        groups.consume(check.heldDocuments());
        return groups.promotedMillis();
    }

    /** Sends one command per claim. After the first that changes something, a failure leaves the outcome unknown. */
    private long consume(FenceCheck check) {
        long consumed = 0;
        for (Map.Entry<Fence, List<BsonValue>> claim : check.idsByFence.entrySet()) {
            BsonDocument filter = claim.getKey().on(queue.live(claim.getValue()), queue.layout);
            consumed += consumed == 0
                    ? queue.consume(null, filter, false)
                    : queue.afterChange("ack", () -> queue.consume(null, filter, false));
        }
        return consumed;
    }

    SettleResult extend(ExtendRequest request) {
        return settle(
                "extend",
                request.token(),
                request.receipts(),
                item -> Effect.KEEPS_RESERVATION,
                check -> extend(check, request.leaseMillis()));
    }

    private long extend(FenceCheck check, long leaseMillis) {
        BsonDocument set = Fields.doc(queue.dueField, Fields.fromNow(leaseMillis))
                .append(Fields.LEASE, Fields.fromNow(leaseMillis));
        List<BsonDocument> change = keyed
                ? List.of(Fields.doc("$set", set), History.unset(List.of(Fields.BLOCKED)))
                : List.of(Fields.doc("$set", set));
        List<WriteModel<RawBsonDocument>> models = new ArrayList<>();
        check.idsByFence.forEach(
                (fence, ids) -> models.add(new UpdateManyModel<>(fence.on(queue.live(ids), queue.layout), change)));
        return queue.write(null, models);
    }

    SettleResult release(ReleaseRequest request) {
        List<Receipt> receipts =
                request.items().stream().map(ReleaseRequest.Item::receipt).toList();
        SettleResult result = keyed
                ? settleInTransaction(
                        "release",
                        request.token(),
                        receipts,
                        (session, check) -> new KeyedReturns(queue, session)
                                .release(check, request, item -> releaseChange(item, request.token())))
                : settle(
                        "release",
                        request.token(),
                        receipts,
                        item -> Effect.ENDS_RESERVATION,
                        check -> release(check, request));
        queue.scanStart().reset();
        return result;
    }

    /** Messages of one claim that change alike share one update. */
    private long release(FenceCheck check, ReleaseRequest request) {
        Map<List<BsonDocument>, Map<Fence, List<BsonValue>>> idsByChange = new LinkedHashMap<>();
        for (int i = 0; i < request.items().size(); i++) {
            Fence fence = check.fences.get(i);
            if (fence != null) {
                List<BsonDocument> change = releaseChange(request.items().get(i), request.token());
                idsByChange
                        .computeIfAbsent(change, c -> new LinkedHashMap<>())
                        .computeIfAbsent(fence, f -> new ArrayList<>())
                        .add(check.ids.get(i));
            }
        }
        List<WriteModel<RawBsonDocument>> models = new ArrayList<>();
        idsByChange.forEach((change, idsByFence) -> idsByFence.forEach(
                (fence, ids) -> models.add(new UpdateManyModel<>(fence.on(queue.live(ids), queue.layout), change))));
        return queue.write(null, models);
    }

    private List<BsonDocument> releaseChange(ReleaseRequest.Item item, String token) {
        Due due = item.due();
        BsonDocument set = Fields.doc(Fields.RELEASED_BY, new BsonInt64(CallTokens.hash(token)));
        if (due == null) {
            set.put(
                    queue.dueField,
                    Fields.op("$ifNull", Fields.field(Fields.DUE_BEFORE), Fields.field(queue.dueField)));
        } else {
            set.put(queue.dueField, due.absolute() ? Fields.date(due.millis()) : Fields.fromNow(due.millis()));
        }
        if (!item.counted()) {
            set.put(Fields.TRIES, Fields.fewerTries());
        }
        List<String> unset = Fields.reservation(queue.layout);
        if (due != null) {
            unset.add(Fields.EXACT_DUE);
        }
        return List.of(Fields.doc("$set", set), History.unset(unset));
    }

    /**
     * Reads the fences, then changes the messages whose fences hold. Each change names its fence again.
     *
     * @param effect what the change does to the message of an item
     * @param change makes the change and returns how many messages it reached
     */
    SettleResult settle(
            String step,
            String token,
            List<Receipt> receipts,
            IntFunction<Effect> effect,
            ToLongFunction<FenceCheck> change) {
        return once(step, token, receipts, running -> {
            ServerTime time = queue.link.time(); // read now, before anything is changed
            FenceCheck check = FenceCheck.read(queue, null, receipts, token);
            if (check.heldCount() > 1 && LeaseMargin.endsSoon(check.firstLeaseEndMillis, time.latestMillis())) {
                extend(check, LeaseMargin.EXTENDED_MILLIS);
                check = FenceCheck.read(queue, null, receipts, token);
            }
            long held = check.heldCount();
            long changed = held == 0 ? 0 : change.applyAsLong(check);
            if (changed < held) {
                FenceCheck before = check;
                queue.afterChange(step, () -> {
                    correct(step, before, FenceCheck.read(queue, null, receipts, token), effect, changed);
                    return before;
                });
            }
            if (held < receipts.size()) {
                // An earlier attempt may have made the change on a server that has lost its majority since.
                queue.afterChange(step, queue::awaitMajority);
            }
            return result(check.outcomes);
        });
    }

    /**
     * Corrects the outcomes after a change that reached fewer messages than expected. The present state proves some
     * outcomes; the number of changed messages decides the others, or the outcome is unknown.
     */
    private void correct(String step, FenceCheck before, FenceCheck after, IntFunction<Effect> effect, long changed) {
        Set<BsonValue> done = new HashSet<>();
        Set<BsonValue> undecided = new HashSet<>();
        for (int i = 0; i < before.outcomes.size(); i++) {
            if (before.fences.get(i) == null) {
                continue;
            }
            Outcome now = after.outcomes.get(i);
            if (now == Outcome.DONE) {
                done.add(before.ids.get(i));
            } else if (effect.apply(i) == Effect.ENDS_RESERVATION
                    || (effect.apply(i) == Effect.LEAVES_QUEUE && now == Outcome.GONE)) {
                undecided.add(before.ids.get(i));
            }
        }
        long rest = changed - done.size();
        if (rest > 0 && rest < undecided.size()) {
            throw MongoErrors.outcomeUnknown(step, queue.queueName);
        }
        for (int i = 0; i < before.outcomes.size(); i++) {
            boolean changedByUs = rest > 0 && undecided.contains(before.ids.get(i));
            if (before.fences.get(i) != null && !changedByUs) {
                before.outcomes.set(i, after.outcomes.get(i));
            }
        }
    }

    /**
     * As {@link #settle}, for several steps of which all or none must take effect. Runs in a transaction.
     *
     * @param change makes the change and returns the earliest due time of the messages that became due by it
     */
    SettleResult settleInTransaction(
            String step,
            String token,
            List<Receipt> receipts,
            BiFunction<ClientSession, FenceCheck, OptionalLong> change) {
        return once(step, token, receipts, running -> {
            queue.link.time(); // read now, before anything is changed
            return transactions.run(
                    step,
                    queue.queueName,
                    session -> {
                        FenceCheck check = FenceCheck.read(queue, session, receipts, token);
                        OptionalLong promoted =
                                check.idsByFence.isEmpty() ? OptionalLong.empty() : change.apply(session, check);
                        return result(check.outcomes, promoted);
                    },
                    running);
        });
    }

    private SettleResult once(
            String step,
            String token,
            List<Receipt> receipts,
            Function<RepeatableCalls.Running<SettleResult>, SettleResult> body) {
        if (receipts.isEmpty()) {
            return SettleResult.builder().build();
        }
        return queue.call(step, true, () -> queue.memory().settles.run(token, body));
    }

    private SettleResult result(List<Outcome> outcomes) {
        return result(outcomes, OptionalLong.empty());
    }

    private SettleResult result(List<Outcome> outcomes, OptionalLong promotedMillis) {
        return SettleResult.builder()
                .outcomes(outcomes)
                .promotedMillis(promotedMillis)
                .storageMillis(queue.link.lastKnownTime().nowMillis())
                .build();
    }
}
