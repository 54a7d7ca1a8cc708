package dev.jono.backend.bucketmongo;

import com.mongodb.client.ClientSession;
import com.mongodb.client.model.WriteModel;
import dev.jono.backend.bucketmongo.Settling.Mine;
import dev.jono.backend.bucketmongo.Settling.Work;
import dev.jono.spi.Due;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.ReleaseRequest.Item;
import dev.jono.spi.SettleResult;
import dev.jono.support.mongo.RepeatableCalls;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * Gives messages back. One that keeps its due time stays in its slot. One with another due time, or one more try, changes its
 * bucket if nothing else is in it; else it moves to a bucket of its own, in one transaction where the server has them.
 */
final class Releases {
    private static final BsonDocumentCodec DOCUMENTS = new BsonDocumentCodec();

    private final Place place;
    private final Settling settling;

    Releases(Place place, Settling settling) {
        this.place = place;
        this.settling = settling;
    }

    SettleResult release(ReleaseRequest request) {
        List<Receipt> receipts = request.items().stream().map(Item::receipt).toList();
        if (receipts.isEmpty()) {
            return SettleResult.builder().build();
        }
        SettleResult result = place.memory().settles.run(request.token(), way -> released(request, receipts, way));
        place.memory().shelf.reset();
        return result;
    }

    private SettleResult released(
            ReleaseRequest request, List<Receipt> receipts, RepeatableCalls.Way<SettleResult> way) {
        if (request.items().stream().allMatch(item -> item.due() == null && !item.counted())) {
            return settling.changed("release", receipts, way, (draft, mine) -> draft.unhold(mine.slots()));
        }
        SettleResult done =
                settling.changedIf("release", receipts, way, (draft, mine) -> inPlace(request, draft, mine));
        return done == null ? split(request, receipts, way) : done;
    }

    /** Changes the bucket itself, if all that it holds is given back alike; or what keeps its due time and tries. */
    private boolean inPlace(ReleaseRequest request, Draft draft, Mine mine) {
        BitSet slots = mine.slots();
        List<Item> items =
                mine.items().values().stream().map(request.items()::get).toList();
        Item first = items.get(0);
        if (items.stream().allMatch(item -> item.due() == null && !item.counted())) {
            draft.unhold(slots);
            return true;
        }
        boolean alike = items.stream().allMatch(item -> item.due() == first.due() && item.counted() == first.counted());
        boolean all = slots.equals(draft.before().live);
        if (!all || !(alike || items.size() == 1)) {
            return false;
        }
        draft.unhold(slots);
        draft.reschedule(dueMillis(draft.before(), first.due()), first.counted());
        return true;
    }

    private long dueMillis(Bucket bucket, @Nullable Due due) {
        return due == null ? bucket.dueMillis : Inserts.matureMillis(place, due);
    }

    private SettleResult split(ReleaseRequest request, List<Receipt> receipts, RepeatableCalls.Way<SettleResult> way) {
        Work ids = new Work(receipts);
        return place.call(
                "release",
                true,
                () -> place.backend.locks().with(ids.ids, () -> {
                    place.memory().shelf.forget(ids.ids);
                    if (place.transactional()) {
                        return place.transactions()
                                .run(
                                        "release",
                                        place.queue,
                                        session -> split(session, request, receipts, new Work(receipts)),
                                        way);
                    }
                    return split(null, request, receipts, ids);
                }));
    }

    private SettleResult split(
            @Nullable ClientSession session, ReleaseRequest request, List<Receipt> receipts, Work work) {
        Map<Place.Id, Bucket> there = place.read(session, work.ids, true);
        Map<Place.Id, Mine> mine = work.sort(there);
        Map<Draft, Mine> drafts = new LinkedHashMap<>();
        List<WriteModel<RawBsonDocument>> own = new ArrayList<>();
        mine.forEach((id, some) -> {
            Bucket bucket = there.get(id);
            if (bucket == null) {
                return;
            }
            Draft draft = place.draft(bucket);
            drafts.put(draft, some);
            if (inPlace(request, draft, some)) {
                return;
            }
            BitSet stay = new BitSet();
            BitSet leave = new BitSet();
            some.items().forEach((slot, at) -> {
                Item item = request.items().get(at);
                if (item.due() == null && !item.counted()) {
                    stay.set(slot);
                } else {
                    leave.set(slot);
                    own.add(own(bucket, slot, item));
                }
            });
            draft.unhold(stay);
            draft.consume(leave);
        });
        // Without a transaction a crash in between leaves two, never none.
        place.write(session, own);
        List<WriteModel<RawBsonDocument>> models = Place.models(drafts.keySet());
        drafts.values().forEach(work::sent);
        if (place.write(session, models) < models.size() && session == null) {
            return split(null, request, receipts, work);
        }
        drafts.values().forEach(work::done);
        return settling.result(receipts, work);
    }

    private WriteModel<RawBsonDocument> own(Bucket bucket, int slot, Item item) {
        Slots.Slot message = bucket.slot(slot);
        String id = bucket.idOf(slot, message);
        Spot spot = Spot.own(id);
        BsonDocument document = bucket.document(slot).decode(DOCUMENTS);
        int tries = bucket.tries + message.tries() + (item.counted() ? 1 : 0);
        return Restores.upsert(
                spot.bucket(),
                BucketWriter.own(spot, document, id, dueMillis(bucket, item.due()), tries, place.plain()));
    }
}
