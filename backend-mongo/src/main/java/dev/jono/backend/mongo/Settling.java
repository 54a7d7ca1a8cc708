package dev.jono.backend.mongo;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.WriteModel;
import dev.jono.spi.Due;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.support.mongo.CallTokens;
import dev.jono.support.mongo.MessageIds;
import dev.jono.support.mongo.RepeatableCalls;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Ends and changes reservations: the fences are read, and what is still this holder's is changed in a command that names
 * them again. So nothing of another's is ever changed. Where that command finds fewer, another has claimed some in between,
 * whose lease had ended, and the fences are read once more; one that the other has consumed by then too is told as done.
 * A move of several steps is a transaction.
 */
final class Settling {
    private final Place place;

    Settling(Place place) {
        this.place = place;
    }

    /** Needs no memory of the call where it is one command: a message that is gone is what a repeat expects. */
    SettleResult ack(SettleRequest request) {
        List<Receipt> receipts = request.receipts();
        if (receipts.isEmpty()) {
            return SettleResult.builder().build();
        }
        if (receipts.size() == 1) {
            return place.call("ack", true, () -> {
                place.link.time(); // asked now: once a message is removed, nothing may fail any more
                Fence fence = Fence.of(receipts.get(0));
                BsonDocument one = place.live();
                one.put(Fields.ID, MessageIds.value(receipts.get(0).id()));
                boolean done = fence != null && place.consumeOne(null, fence.on(one), false);
                return done ? result(List.of(Outcome.DONE)) : result(looked(null, receipts, request.token()).outcomes);
            });
        }
        return settle("ack", request.token(), receipts, Outcome.DONE, this::consumed);
    }

    /** A command for each claim: behind the first of them something is done. */
    private long consumed(Mine mine) {
        long consumed = 0;
        for (Map.Entry<Fence, List<BsonValue>> claim : mine.groups.entrySet()) {
            BsonDocument its = claim.getKey().on(place.live(claim.getValue()));
            consumed += consumed == 0
                    ? place.consume(null, its, false)
                    : place.begun("ack", () -> place.consume(null, its, false));
        }
        return consumed;
    }

    SettleResult extend(ExtendRequest request) {
        BsonDocument set = Fields.doc(Fields.MATURE, Fields.fromNow(request.leaseMillis()))
                .append(Fields.LEASE, Fields.fromNow(request.leaseMillis()));
        return settle("extend", request.token(), request.receipts(), Outcome.GONE, mine -> {
            List<WriteModel<RawBsonDocument>> models = new ArrayList<>();
            mine.groups.forEach((fence, ids) ->
                    models.add(new UpdateManyModel<>(fence.on(place.live(ids)), List.of(Fields.doc("$set", set)))));
            return place.write(null, models);
        });
    }

    SettleResult release(ReleaseRequest request) {
        List<Receipt> receipts =
                request.items().stream().map(ReleaseRequest.Item::receipt).toList();
        SettleResult result = settle("release", request.token(), receipts, Outcome.GONE, mine -> {
            Map<List<BsonDocument>, Map<Fence, List<BsonValue>>> alike = new LinkedHashMap<>();
            for (int i = 0; i < receipts.size(); i++) {
                Fence fence = mine.fences.get(i);
                if (fence != null) {
                    alike.computeIfAbsent(
                                    releasing(request.items().get(i), request.token()), change -> new LinkedHashMap<>())
                            .computeIfAbsent(fence, f -> new ArrayList<>())
                            .add(mine.ids.get(i));
                }
            }
            List<WriteModel<RawBsonDocument>> models = new ArrayList<>();
            alike.forEach((change, groups) -> groups.forEach(
                    (fence, ids) -> models.add(new UpdateManyModel<>(fence.on(place.live(ids)), change))));
            return place.write(null, models);
        });
        place.start().reset();
        return result;
    }

    private static List<BsonDocument> releasing(ReleaseRequest.Item item, String token) {
        Due due = item.due();
        BsonDocument set = Fields.doc(Fields.GIVEN_BACK, new BsonInt64(CallTokens.hash(token)));
        if (due == null) {
            set.put(Fields.MATURE, Fields.op("$ifNull", Fields.field(Fields.DUE), Fields.field(Fields.MATURE)));
        } else {
            set.put(Fields.MATURE, due.absolute() ? Fields.date(due.millis()) : Fields.fromNow(due.millis()));
        }
        if (!item.counted()) {
            BsonDocument fewer = Fields.op("$subtract", Fields.field(Fields.TRIES), Fields.ONE);
            set.put(Fields.TRIES, Fields.op("$max", new BsonInt32(0), fewer));
        }
        BsonDocument unset = due == null
                ? History.unset(Fields.RESERVED, Fields.TOKEN, Fields.LEASE, Fields.DUE, Fields.LAPSED, Fields.TAKEN)
                : History.unset(
                        Fields.RESERVED,
                        Fields.TOKEN,
                        Fields.LEASE,
                        Fields.DUE,
                        Fields.LAPSED,
                        Fields.TAKEN,
                        Fields.WAS);
        return List.of(Fields.doc("$set", set), unset);
    }

    /** The receipts of a request that are still their holder's, and what is known of the others. */
    static final class Mine {
        final List<BsonValue> ids = new ArrayList<>();
        /** Null where it is not this holder's any more. */
        final List<@Nullable Fence> fences = new ArrayList<>();

        final List<Outcome> outcomes = new ArrayList<>();
        final Map<Fence, List<BsonValue>> groups = new LinkedHashMap<>();

        /** After a change that not all have got. */
        private void correct(Mine after, Outcome gone) {
            for (int i = 0; i < outcomes.size(); i++) {
                Outcome now = after.outcomes.get(i);
                if (fences.get(i) != null) {
                    outcomes.set(i, now == Outcome.GONE ? gone : now);
                }
            }
        }
    }

    /**
     * Reads the fences, then does it to those that hold. Each change names its fence again.
     *
     * @param gone what it means that one of them is not there afterwards
     * @param change tells of how many it was true
     */
    SettleResult settle(String step, String token, List<Receipt> receipts, Outcome gone, ToLongFunction<Mine> change) {
        return once(step, token, receipts, way -> {
            place.link.time(); // asked now, and not when something is done already
            Mine mine = looked(null, receipts, token);
            long held = mine.groups.values().stream().mapToLong(List::size).sum();
            if (held > 0 && change.applyAsLong(mine) < held) {
                Mine after = place.begun(step, () -> looked(null, receipts, token));
                mine.correct(after, gone);
            }
            if (held < receipts.size()) {
                // An attempt before may have done it on a server that has lost the majority since.
                place.begun(step, place::confirm);
            }
            return result(mine.outcomes);
        });
    }

    /** As {@link #settle}, for what takes several steps, which must all be done or none: in a transaction. */
    SettleResult settleWhole(
            String step, String token, List<Receipt> receipts, BiConsumer<ClientSession, Mine> change) {
        return once(step, token, receipts, way -> {
            place.link.time(); // asked now, and not when something is done already
            return place.transactions()
                    .run(
                            step,
                            place.queue,
                            session -> {
                                Mine mine = looked(session, receipts, token);
                                if (!mine.groups.isEmpty()) {
                                    change.accept(session, mine);
                                }
                                return result(mine.outcomes);
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
        return place.call(step, true, () -> place.memory().settles.run(token, body));
    }

    private Mine looked(@Nullable ClientSession session, List<Receipt> receipts, String token) {
        Mine mine = new Mine();
        receipts.forEach(receipt -> mine.ids.add(MessageIds.value(receipt.id())));
        BsonDocument fields = Fields.doc(Fields.RESERVED, Fields.ONE)
                .append(Fields.TOKEN, Fields.ONE)
                .append(Fields.GIVEN_BACK, Fields.ONE);
        BsonInt64 call = new BsonInt64(CallTokens.hash(token));
        Map<BsonValue, BsonDocument> there = new HashMap<>();
        for (RawBsonDocument document :
                place.find(session, place.live(mine.ids)).projection(fields).batchSize(receipts.size() + 1)) {
            there.put(document.get(Fields.ID), document);
        }
        for (int i = 0; i < receipts.size(); i++) {
            BsonDocument document = there.get(mine.ids.get(i));
            Fence fence = Fence.of(receipts.get(i));
            boolean holds = document != null && fence != null && fence.equals(Fence.in(document));
            mine.fences.add(holds ? fence : null);
            // What a first attempt of this call gave back, whose answer was lost, is done.
            boolean before = document != null && call.equals(document.get(Fields.GIVEN_BACK));
            mine.outcomes.add(holds || before ? Outcome.DONE : document == null ? Outcome.GONE : Outcome.STALE);
            if (holds && fence != null) {
                mine.groups.computeIfAbsent(fence, f -> new ArrayList<>()).add(mine.ids.get(i));
            }
        }
        return mine;
    }

    private SettleResult result(List<Outcome> outcomes) {
        return SettleResult.builder()
                .outcomes(outcomes)
                .storageMillis(place.link.timeAsSeen().nowMillis())
                .build();
    }
}
