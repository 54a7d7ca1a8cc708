package dev.jono.backend.bucketmongo;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.model.WriteModel;
import dev.jono.spi.Due;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.ReleaseRequest.Item;
import dev.jono.spi.SettleResult;
import dev.jono.support.mongo.RepeatableCalls;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Gives messages back. One that keeps its due time stays in its slot. One with another due time, or one more try, changes its
 * bucket if nothing else is in it; else it moves to a bucket of its own, in one transaction where the server has them.
 */
final class Releases {
    private final BucketCollection place;
    private final Settlements settling;

    Releases(BucketCollection place, Settlements settling) {
        this.place = place;
        this.settling = settling;
    }

    SettleResult release(ReleaseRequest request) {
        if (request.items().isEmpty()) {
            return SettleResult.builder().build();
        }
        SettleResult result = place.call(
                "release",
                true,
                () -> place.memory().settles.run(request.token(), way -> new Release(request.items()).result(way)));
        place.memory().buckets.resetCandidates();
        return result;
    }

    /** One request, and what has become of it: its repetition goes on where a failure has ended it. */
    private final class Release {
        private final List<Item> items;
        private final SettleProgress work;
        /** Buckets that were stored without a transaction: they may be others' by now. */
        private final Set<BucketCollection.BucketId> stored = new HashSet<>();

        Release(List<Item> items) {
            this.items = items;
            this.work = new SettleProgress(items.stream().map(Item::receipt).toList());
        }

        SettleResult result(RepeatableCalls.Way<SettleResult> way) {
            return settling.settle("release", work, way, () -> {
                if (!settling.changeIfPossible(
                        "release", work, this::inPlace, drafts -> settling.writeRepeatable("release", work, drafts))) {
                    split();
                }
            });
        }

        /** Changes the bucket itself, if all that it holds is given back alike; or what keeps its due time and tries. */
        private boolean inPlace(BucketChange draft, OwnSlots mine) {
            BitSet slots = mine.slots();
            List<Item> given = mine.itemBySlot().values().stream().map(items::get).toList();
            Item first = given.get(0);
            if (given.stream().allMatch(item -> item.due() == null && !item.counted())) {
                draft.endLeases(slots);
                return true;
            }
            boolean alike =
                    given.stream().allMatch(item -> item.due() == first.due() && item.counted() == first.counted());
            boolean all = slots.equals(draft.before().live);
            if (!all || !(alike || given.size() == 1)) {
                return false;
            }
            draft.endLeases(slots);
            draft.reschedule(dueMillis(draft.before(), first.due()), first.counted());
            return true;
        }

        private long dueMillis(Bucket bucket, @Nullable Due due) {
            return due == null ? bucket.dueMillis : Inserts.dueMillis(place, due);
        }

        private void split() {
            place.memory().buckets.forget(work.buckets);
            if (!place.transactional()) {
                split(null, work);
                return;
            }
            SettleProgress done = place.transactions()
                    .run(
                            "release",
                            place.queue,
                            session -> {
                                SettleProgress attempt = work.copy();
                                split(session, attempt);
                                return attempt;
                            },
                            later -> work.answerLost(() -> later.get().ifPresent(work::accept)));
            work.accept(done);
        }

        /** Without a transaction a crash in between leaves two, never none. */
        private void split(@Nullable ClientSession session, SettleProgress attempt) {
            Map<BucketCollection.BucketId, Bucket> there = place.read(session, work.buckets, true);
            Map<BucketCollection.BucketId, OwnSlots> mine = attempt.sort(there, settling.latestMillis());
            if (session == null && settling.extendEndingLeases(there, mine)) {
                split(null, attempt);
                return;
            }
            Map<BucketChange, OwnSlots> drafts = new LinkedHashMap<>();
            Map<BucketCollection.BucketId, WriteModel<RawBsonDocument>> own = new LinkedHashMap<>();
            mine.forEach((id, some) -> {
                Bucket bucket = there.get(id);
                if (bucket == null) {
                    return;
                }
                BucketChange draft = place.change(bucket);
                drafts.put(draft, some);
                if (!stored(bucket, some) && inPlace(draft, some)) {
                    return;
                }
                BitSet stay = new BitSet();
                BitSet leave = new BitSet();
                some.itemBySlot().forEach((slot, at) -> {
                    Item item = items.get(at);
                    if (item.due() == null && !item.counted()) {
                        stay.set(slot);
                    } else {
                        leave.set(slot);
                        own(bucket, slot, item, own);
                    }
                });
                draft.endLeases(stay);
                draft.remove(leave);
            });

            place.memory().buckets.forget(work.buckets); // what was read or extended on the way is about to change
            own.keySet().removeAll(stored);
            place.write(session, List.copyOf(own.values()));
            if (session == null) {
                stored.addAll(own.keySet());
            }
            if (drafts.isEmpty()) {
                return;
            }
            List<WriteModel<RawBsonDocument>> models = BucketCollection.models(drafts.keySet());
            if (session != null) {
                place.write(session, models);
                drafts.values().forEach(attempt::done);
                return;
            }
            BucketCollection.WriteCounts written;
            try {
                written = place.writeCounted(null, models);
            } catch (MongoException unanswered) {
                drafts.forEach(attempt::maybeDone);
                throw unanswered;
            }
            settling.recordOutcome("release", attempt, drafts, written);
            if (written.all() < drafts.size()) {
                split(null, attempt);
            }
        }

        /** Whether one of these has its copy already, and is to leave the bucket. */
        private boolean stored(Bucket bucket, OwnSlots mine) {
            return mine.itemBySlot().keySet().stream()
                    .map(slot -> bucket.idOf(slot, bucket.slot(slot)))
                    .anyMatch(id -> stored.contains(SlotAddress.ofOwnBucket(id).bucket()));
        }

        private void own(Bucket bucket, int slot, Item item, Map<BucketCollection.BucketId, WriteModel<RawBsonDocument>> own) {
            BsonDocument alone = BucketWriter.own(
                    bucket, slot, dueMillis(bucket, item.due()), item.counted() ? 1 : 0, place.plain());
            BucketCollection.BucketId id = new BucketCollection.BucketId(Objects.requireNonNull(alone.get(Fields.ID)));
            own.put(id, Restores.upsert(id, alone));
        }
    }
}
