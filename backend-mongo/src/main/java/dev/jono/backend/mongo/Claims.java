package dev.jono.backend.mongo;

import com.mongodb.client.FindIterable;
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
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
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
    /** So many bytes end a batch, as far as the sizes of the last ones tell. */
    static final long MAX_READ_BYTES = 8L << 20;

    private static final int ATTEMPTS = 20;
    private static final int WIDEST = 16;
    /** A take that dies between its steps gives the messages back after this time. */
    private static final long TAKE_LEASE_MILLIS = 30_000;
    /** Behind so long the end of that lease may be near. */
    private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final Place place;
    private final Expired expired;
    private final SingleTake single;

    /** Of how many batches at the head a claim picks one: 1 while nobody is in the way. */
    private volatile int width = 1;
    /** Bytes of a message, as the last ones were. */
    private volatile long usualBytes = 1;

    Claims(Place place) {
        this.place = place;
        this.expired = new Expired(place);
        this.single = new SingleTake(place);
    }

    ClaimResult take(ClaimRequest request) {
        return place.memory().takes.run(request.token(), way -> found(request, true, way));
    }

    ClaimResult claim(ClaimRequest request) {
        return place.memory().claims.run(request.token(), way -> found(request, false, way));
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
        int max = (int) Math.max(1, Math.min(request.max(), MAX_READ_BYTES / usualBytes));
        if (take && max == 1 && single.possible()) {
            return single(step, way);
        }
        Batch batch = place.call(step, true, () -> found(request, max, take, way));
        if (batch.more() || batch.messages().size() >= max) {
            return batch.result(0);
        }
        return batch.result(place.call(step, false, () -> Looking.nextMillis(place)));
    }

    private ClaimResult single(String step, RepeatableCalls.Way<ClaimResult> way) {
        return single(place.call(step, true, () -> {
            place.link.time(); // asked now: once a message is removed, nothing may fail any more
            return single.run(later -> way.leave(() -> later.get().map(this::single)));
        }));
    }

    private ClaimResult single(Optional<Found> one) {
        long now = place.link.timeAsSeen().nowMillis();
        if (one.isEmpty()) {
            return new Batch(List.of(), false, now).result(place.call("pop", false, () -> Looking.nextMillis(place)));
        }
        usualBytes = Math.max(1, one.get().payload().size());
        return new Batch(List.of(one.get().message().build()), false, now).result(0);
    }

    private Batch found(ClaimRequest request, int max, boolean take, RepeatableCalls.Way<ClaimResult> way) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int skip = width == 1 ? 0 : ThreadLocalRandom.current().nextInt(width) * max;
            boolean whole = width == 1;
            List<Found> all = candidates(max, skip, whole);
            if (all.isEmpty() && skip == 0) {
                break;
            }
            if (all.isEmpty()) {
                width = 1;
                continue;
            }
            List<Found> chosen = take ? all : company(all, request);
            Batch got = marked(request, take, chosen, chosen.size() < all.size(), whole, way);
            width = 2 * got.messages().size() < chosen.size() ? Math.min(WIDEST, 2 * width) : Math.max(1, width / 2);
            if (!got.messages().isEmpty()) {
                return got;
            }
        }
        return new Batch(List.of(), false, place.link.time().nowMillis());
    }

    /** What is due, the earliest first. */
    private List<Found> candidates(int max, int skip, boolean whole) {
        ScanStart.Begin begin = place.start().begin();
        List<Found> found = search(max, skip, begin.millis(), whole);
        if (found.size() < max && begin.millis() != ScanStart.BEGINNING) {
            begin = place.start().reset();
            found = search(max, skip, begin.millis(), whole);
        }
        if (found.size() == max && skip == 0) {
            place.start().found(begin, found.get(max - 1).matureMillis());
        }
        return found;
    }

    private List<Found> search(int max, int skip, long from, boolean whole) {
        BsonDocument filter = place.dueFrom(from);
        FindIterable<RawBsonDocument> search = place.collection
                .find(filter)
                .sort(Fields.doc(Fields.MATURE, Fields.ONE))
                .skip(skip)
                .limit(max)
                .batchSize(max + 1);
        if (!whole) {
            search.projection(Fields.doc(Fields.MATURE, Fields.ONE)
                    .append(Fields.TRIES, Fields.ONE)
                    .append(Fields.RESERVED, Fields.ONE)
                    .append(Fields.DUE, Fields.ONE)
                    .append(Fields.WAS, Fields.ONE));
        }
        List<Found> found = new ArrayList<>();
        long bytes = 0;
        for (RawBsonDocument document : search) {
            bytes += document.getByteBuffer().remaining();
            found.add(Found.read(document));
        }
        if (whole && !found.isEmpty()) {
            usualBytes = Math.max(1, bytes / found.size());
        }
        return found;
    }

    private static boolean isolates(Found found, ClaimRequest request) {
        return found.tries() >= request.isolateTries()
                || (found.reservedMillis() > 0 && found.tries() >= request.isolateExpiredTries());
    }

    /** Those before the first that is to be alone; it alone, if it is the first. */
    private static List<Found> company(List<Found> found, ClaimRequest request) {
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
            List<Found> chosen,
            boolean more,
            boolean whole,
            RepeatableCalls.Way<ClaimResult> way) {
        boolean alike = whole && alike(chosen);
        List<BsonValue> ids = chosen.stream().map(Found::id).toList();
        BsonDocument filter = alike ? asFound(chosen) : Fields.due(place.live());
        filter.put(Fields.ID, Fields.in(ids));
        // If the answer to the marking is lost: what carries the token is ours.
        long sentNanos = place.link.timeAsSeen().nanos();
        way.leave(() -> {
            Batch late = place.call(take ? "pop" : "reserve", true, () -> {
                Batch marked = ours(request, take, chosen, more);
                return take && !marked.messages().isEmpty() ? consumed(request, marked, sentNanos) : marked;
            });
            return late.messages().isEmpty() ? Optional.empty() : Optional.of(late.result(0));
        });
        boolean all =
                place.update(null, filter, claiming(request, take, alike ? chosen.get(0) : null)) == chosen.size();
        return place.begun(take ? "pop" : "reserve", () -> {
            Batch known = alike && all ? asFound(request, take, chosen, more) : null;
            Batch got = known == null ? ours(request, take, chosen, more) : known;
            if (take && !got.messages().isEmpty()) {
                way.leave(() -> Optional.of(place.call("pop", true, () -> consumed(request, got, sentNanos))
                        .result(0)));
                return consumed(request, got, sentNanos);
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
    private static List<BsonDocument> claiming(ClaimRequest request, boolean take, @Nullable Found like) {
        BsonValue leaseEnd = Fields.fromNow(take ? TAKE_LEASE_MILLIS : request.leaseMillis());
        BsonDocument set = new BsonDocument(Fields.MATURE, leaseEnd);
        set.put(Fields.RESERVED, Fields.NOW);
        set.put(Fields.TOKEN, new BsonInt64(CallTokens.hash(request.token())));
        if (take) {
            // Not in the index of leases, which would cost a third of a pop: it is gone again at once.
            set.put(Fields.TAKEN, BsonBoolean.TRUE);
            set.put(Fields.LEASE, Fields.NOTHING);
            set.put(Fields.DUE, Fields.NOTHING);
        } else {
            set.put(Fields.LEASE, leaseEnd);
            set.put(Fields.DUE, like == null ? Fields.dueBefore() : Fields.field(Fields.MATURE));
            set.put(Fields.TAKEN, Fields.NOTHING);
            set.put(Fields.TRIES, like == null ? oneMore() : new BsonInt32(like.tries() + 1));
        }
        return List.of(Fields.doc("$set", set));
    }

    private static BsonDocument oneMore() {
        BsonDocument number = Fields.doc("$isNumber", Fields.field(Fields.TRIES));
        BsonDocument more = Fields.op("$add", Fields.field(Fields.TRIES), Fields.ONE);
        return Fields.op("$cond", number, more, Fields.ONE);
    }

    /** Whether it can be a condition of the marking that they are as they were: never reserved, and tried as often. */
    private static boolean alike(List<Found> chosen) {
        int tries = chosen.get(0).tries();
        return tries < Integer.MAX_VALUE
                && chosen.stream().allMatch(found -> found.reservedMillis() == 0 && found.tries() == tries);
    }

    /** What nobody has reserved, moved or given back with a delay since; of these due times all have come. */
    private BsonDocument asFound(List<Found> chosen) {
        BsonDocument filter = place.live();
        filter.put(
                Fields.MATURE,
                Fields.doc("$lte", Fields.date(chosen.get(chosen.size() - 1).matureMillis())));
        filter.put(Fields.RESERVED, Fields.exists(false));
        filter.put(Fields.TRIES, new BsonInt32(chosen.get(0).tries()));
        return filter;
    }

    /** All of them, as they were found, with the time of their marking, which is one for all; null if it is not there. */
    private @Nullable Batch asFound(ClaimRequest request, boolean take, List<Found> chosen, boolean more) {
        if (take) {
            List<StoredMessage> messages =
                    chosen.stream().map(found -> found.message().build()).toList();
            return new Batch(messages, more, place.link.time().nowMillis());
        }
        long token = CallTokens.hash(request.token());
        BsonDocument filter = place.live(List.of(chosen.get(0).id()));
        filter.put(Fields.TOKEN, new BsonInt64(token));
        RawBsonDocument first = place.collection
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
                .map(found -> claimed(found, found.message(), leaseEnd, fence, isolated))
                .toList();
        return new Batch(messages, more, fence.reservedMillis());
    }

    /** Those that carry the token of the call. */
    private Batch ours(ClaimRequest request, boolean take, List<Found> chosen, boolean more) {
        long token = CallTokens.hash(request.token());
        BsonDocument filter = place.live(chosen.stream().map(Found::id).toList());
        filter.put(Fields.TOKEN, new BsonInt64(token));
        Map<BsonValue, Found> marked = new HashMap<>();
        long bytes = 0;
        for (RawBsonDocument document : place.collection.find(filter).batchSize(chosen.size() + 1)) {
            bytes += document.getByteBuffer().remaining();
            Found found = Found.read(document);
            marked.put(found.id(), found);
        }
        if (!marked.isEmpty()) {
            usualBytes = Math.max(1, bytes / marked.size());
        }
        boolean isolated = !take && isolates(chosen.get(0), request);
        List<StoredMessage> messages = new ArrayList<>();
        long now = 0;
        for (Found before : chosen) {
            Found after = marked.get(before.id());
            if (after != null) {
                now = after.reservedMillis();
                messages.add(
                        take
                                ? after.message()
                                        .dueMillis(before.shownDueMillis())
                                        .build()
                                : claimed(
                                        before,
                                        after.message().tries(Math.max(0, after.tries() - 1)),
                                        after.matureMillis(),
                                        new Fence(token, now),
                                        isolated));
            }
        }
        return new Batch(messages, more, now == 0 ? place.link.time().nowMillis() : now);
    }

    private static StoredMessage claimed(
            Found before, StoredMessage.Builder message, long leaseEndMillis, Fence fence, boolean isolated) {
        return message.leaseEndMillis(leaseEndMillis)
                .state(StoredMessage.State.RESERVED)
                .expired(before.reservedMillis() > 0)
                .isolated(isolated)
                .receipt(Receipt.of(MessageIds.text(before.id()), fence.text()))
                .build();
    }

    /**
     * Removes what a take has marked. Until the lease ends nobody else can have got any of it, so what is gone is ours too.
     * After a long stall each message is asked for by itself, and those that are gone are not handed out.
     */
    private Batch consumed(ClaimRequest request, Batch batch, long sentNanos) {
        BsonInt64 token = new BsonInt64(CallTokens.hash(request.token()));
        if (place.link.timeAsSeen().nanos() - sentNanos < STALLED_NANOS) {
            BsonDocument all = place.live(batch.messages().stream()
                    .map(message -> MessageIds.value(message.id()))
                    .toList());
            all.put(Fields.TOKEN, token);
            place.consume(null, all, false);
            return batch;
        }
        List<StoredMessage> left = batch.messages().stream()
                .filter(message -> {
                    BsonDocument one = place.live(List.of(MessageIds.value(message.id())));
                    one.put(Fields.TOKEN, token);
                    return place.consume(null, one, false) == 1;
                })
                .toList();
        return new Batch(left, batch.more(), batch.nowMillis());
    }
}
