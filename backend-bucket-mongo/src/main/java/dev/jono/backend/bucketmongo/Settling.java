package dev.jono.backend.bucketmongo;

import com.mongodb.MongoException;
import com.mongodb.client.model.WriteModel;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.Receipt;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.PinnedSession;
import dev.jono.support.mongo.RepeatableCalls;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Ends and changes reservations: what is still this holder's is changed in its bucket, on the condition that the bucket is
 * as it is known. Where others have changed it, it is read and the step is made anew.
 */
final class Settling {
    private final Place place;

    Settling(Place place) {
        this.place = place;
    }

    /** Needs no memory of the call: a message that is gone is what a repeat expects. */
    SettleResult ack(SettleRequest request) {
        return changed("ack", request.receipts(), null, (draft, mine) -> draft.consume(mine.slots()));
    }

    SettleResult extend(ExtendRequest request) {
        return changed("extend", request.receipts(), null, (draft, mine) -> {
            long end = place.link.time().latestMillis() + request.leaseMillis();
            mine.byToken().forEach((token, slots) -> draft.extend(token, slots, end));
        });
    }

    /** The reservations of one bucket that are still their holder's. */
    static final class Mine {
        private final Map<Long, BitSet> byToken = new LinkedHashMap<>();
        private final Map<Integer, Integer> items = new HashMap<>();

        /** Returns which item of the request is the same reservation; null if none is. */
        @Nullable Integer add(int item, Spot.Right right) {
            byToken.computeIfAbsent(right.token(), token -> new BitSet())
                    .set(right.spot().slot());
            return items.putIfAbsent(right.spot().slot(), item);
        }

        /** Slots, by their claim. */
        Map<Long, BitSet> byToken() {
            return byToken;
        }

        /** The places in the request, by slot. */
        Map<Integer, Integer> items() {
            return items;
        }

        BitSet slots() {
            BitSet all = new BitSet();
            byToken.values().forEach(all::or);
            return all;
        }
    }

    /** The receipts of a request, and what has become of them. */
    static final class Work {
        final List<Spot.@Nullable Right> rights = new ArrayList<>();
        final Outcome[] outcomes;
        /** What has been tried for it, and may have been done. */
        private final boolean[] sent;

        /** What a request names twice ends as the first of it does. */
        private final Map<Integer, Integer> twins = new HashMap<>();

        final Set<Place.Id> ids = new LinkedHashSet<>();

        Work(List<Receipt> receipts) {
            this.outcomes = new Outcome[receipts.size()];
            this.sent = new boolean[receipts.size()];
            Spot.Right before = null;
            for (Receipt receipt : receipts) {
                Spot.Right right = Spot.Right.of(receipt, before);
                rights.add(right);
                if (right != null
                        && (before == null
                                || right.spot().bucket() != before.spot().bucket())) {
                    ids.add(right.spot().bucket());
                }
                before = right == null ? before : right;
            }
        }

        /** Sorts out what is not settled yet: what is its holder's, by bucket; the rest has an outcome then. */
        Map<Place.Id, Mine> sort(Map<Place.Id, Bucket> there) {
            Map<Place.Id, Mine> mine = new LinkedHashMap<>();
            for (int i = 0; i < outcomes.length; i++) {
                if (outcomes[i] != null) {
                    continue;
                }
                Spot.Right right = rights.get(i);
                Bucket bucket = right == null ? null : there.get(right.spot().bucket());
                if (right == null
                        || bucket == null
                        || !bucket.live.get(right.spot().slot())) {
                    outcomes[i] = sent[i] ? Outcome.DONE : Outcome.GONE;
                } else if (bucket.group(right.token(), right.spot().slot()) == null) {
                    outcomes[i] = Outcome.STALE;
                } else {
                    Integer first =
                            mine.computeIfAbsent(bucket.id, id -> new Mine()).add(i, right);
                    if (first != null) {
                        twins.put(i, first);
                    }
                }
            }
            return mine;
        }

        void done(Mine mine) {
            mine.items().values().forEach(item -> outcomes[item] = Outcome.DONE);
        }

        void endTwins() {
            twins.forEach((item, first) -> {
                if (outcomes[item] == null) {
                    outcomes[item] = outcomes[first];
                }
            });
        }

        void sent(Mine mine) {
            mine.items().values().forEach(item -> sent[item] = true);
        }
    }

    /** Does something to what is still its holder's. */
    SettleResult changed(
            String step,
            List<Receipt> receipts,
            RepeatableCalls.@Nullable Way<SettleResult> way,
            BiConsumer<Draft, Mine> change) {
        SettleResult result = changedIf(step, receipts, way, (draft, mine) -> {
            change.accept(draft, mine);
            return true;
        });
        return Objects.requireNonNull(result, "what can be done is done");
    }

    /** Does something to what is still its holder's, if it can be done to all of it; else nothing, and returns null. */
    @Nullable SettleResult changedIf(
            String step,
            List<Receipt> receipts,
            RepeatableCalls.@Nullable Way<SettleResult> way,
            BiPredicate<Draft, Mine> change) {
        if (receipts.isEmpty()) {
            return SettleResult.builder().build();
        }
        Work work = new Work(receipts);
        return place.call(
                step,
                true,
                () -> place.backend.locks().with(work.ids, () -> {
                    while (true) {
                        Map<Place.Id, Bucket> there = known(work.ids);
                        Map<Place.Id, Mine> mine = work.sort(there);
                        if (mine.isEmpty()) {
                            return result(receipts, work);
                        }
                        Map<Draft, Mine> drafts = new LinkedHashMap<>();
                        for (Map.Entry<Place.Id, Mine> some : mine.entrySet()) {
                            Draft draft = place.draft(Objects.requireNonNull(there.get(some.getKey())));
                            if (!change.test(draft, some.getValue())) {
                                return null;
                            }
                            drafts.put(draft, some.getValue());
                        }
                        if (write(receipts, work, drafts, way)) {
                            return result(receipts, work);
                        }
                    }
                }));
    }

    /** Buckets as they are known, and else as they are. */
    private Map<Place.Id, Bucket> known(Collection<Place.Id> ids) {
        Shelf shelf = place.memory().shelf;
        Map<Place.Id, Bucket> known = new HashMap<>();
        List<Place.Id> unknown = new ArrayList<>();
        for (Place.Id id : ids) {
            Bucket bucket = shelf.get(id);
            if (bucket == null) {
                unknown.add(id);
            } else {
                known.put(id, bucket);
            }
        }
        if (!unknown.isEmpty()) {
            Map<Place.Id, Bucket> read = place.read(null, unknown, false);
            read.values().forEach(shelf::put);
            known.putAll(read);
        }
        return known;
    }

    /** Returns whether all was written: then everything has an outcome. */
    private boolean write(
            List<Receipt> receipts,
            Work work,
            Map<Draft, Mine> drafts,
            RepeatableCalls.@Nullable Way<SettleResult> way) {
        Shelf shelf = place.memory().shelf;
        shelf.forget(work.ids);
        List<WriteModel<RawBsonDocument>> models = Place.models(drafts.keySet());
        Place.Written written = way == null
                ? place.written(null, models)
                : once(models, way, () -> {
                    drafts.values().forEach(work::done);
                    return result(receipts, work);
                });
        if (written.all() == models.size()) {
            shelf.written(drafts.keySet());
            drafts.values().forEach(work::done);
            return true;
        }
        Map<Place.Id, Bucket> now = place.read(
                null, drafts.keySet().stream().map(d -> d.before().id).toList(), false);
        now.values().forEach(shelf::put);
        drafts.forEach((draft, mine) -> {
            Bucket bucket = now.get(draft.before().id);
            if (bucket != null && bucket.version == draft.version()) {
                work.done(mine);
            } else if (bucket == null && draft.deletes() && written.deletions() > 0) {
                // Only if its lease has ended can it have been another who deleted it in this moment.
                work.done(mine);
            }
        });
        return false;
    }

    /** Writes that change and do not delete; if the answer is lost, they can be sent again and are not done twice. */
    private Place.Written once(
            List<WriteModel<RawBsonDocument>> models,
            RepeatableCalls.Way<SettleResult> way,
            java.util.function.Supplier<SettleResult> result) {
        if (!place.transactional()) {
            return place.written(null, models);
        }
        PinnedSession session = new PinnedSession(place.link.client());
        boolean over = false;
        try {
            Place.Written written = place.written(session.attempt(), models);
            over = true;
            return written;
        } catch (MongoException failure) {
            over = !MongoErrors.unknown(failure);
            if (!over) {
                way.leave(() -> {
                    long written =
                            place.link.call("release", place.queue, true, () -> place.write(session.attempt(), models));
                    session.close();
                    return written == models.size() ? Optional.of(result.get()) : Optional.empty();
                });
            }
            throw failure;
        } finally {
            if (over) {
                session.close();
            }
        }
    }

    /** What is not in its slot any more may be in a bucket of its own. */
    SettleResult result(List<Receipt> receipts, Work work) {
        work.endTwins();
        Map<Integer, Spot> elsewhere = new LinkedHashMap<>();
        for (int i = 0; i < work.outcomes.length; i++) {
            Spot own =
                    work.outcomes[i] == Outcome.GONE ? Spot.own(receipts.get(i).id()) : null;
            Spot.Right right = work.rights.get(i);
            if (own != null && (right == null || !own.equals(right.spot()))) {
                elsewhere.put(i, own);
            }
        }
        if (!elsewhere.isEmpty()) {
            Map<Place.Id, Bucket> there = place.read(
                    null, elsewhere.values().stream().map(Spot::bucket).toList(), false);
            elsewhere.forEach((item, own) -> {
                Bucket bucket = there.get(own.bucket());
                if (bucket != null && bucket.live.get(0)) {
                    work.outcomes[item] = Outcome.STALE;
                }
            });
        }
        return SettleResult.builder()
                .outcomes(List.of(work.outcomes))
                .storageMillis(place.nowMillis())
                .build();
    }
}
