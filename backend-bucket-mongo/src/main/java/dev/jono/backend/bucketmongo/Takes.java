package dev.jono.backend.bucketmongo;

import com.mongodb.MongoException;
import com.mongodb.client.model.WriteModel;
import dev.jono.backend.bucketmongo.Claims.Batch;
import dev.jono.backend.bucketmongo.Claims.Got;
import dev.jono.backend.bucketmongo.Picking.Choice;
import dev.jono.backend.bucketmongo.Picking.Pick;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.CallTokens;
import dev.jono.support.mongo.MongoErrors;
import dev.jono.support.mongo.PinnedSession;
import dev.jono.support.mongo.RepeatableCalls;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.RawBsonDocument;

/**
 * Takes messages out. Those of one bucket in one write, which either was done or was not, as the server knows by its number. A
 * command that changes several buckets tells only how many; so those are marked first, as a claim does, and then consumed.
 */
final class Takes {
    /** A take that dies between its steps gives the messages back after this time. */
    private static final long LEASE_MILLIS = 30_000;
    /** Behind so long the end of that lease may be near. */
    private static final long STALLED_NANOS = TimeUnit.SECONDS.toNanos(20);

    private final Place place;
    private final Claims claims;

    Takes(Place place, Claims claims) {
        this.place = place;
        this.claims = claims;
    }

    Batch taken(ClaimRequest request, Choice choice, RepeatableCalls.Way<ClaimResult> way) {
        // Without a number, a write whose answer is lost finds nothing when it is sent again, whoever has got it.
        boolean tells = !place.transactional() || place.link.retriesWrites();
        if (choice.picks().size() == 1 && tells) {
            return takenAtOnce(choice, way);
        }
        long sentNanos = place.link.timeAsSeen().nanos();
        return claims.held(request, choice, LEASE_MILLIS, way, (got, buckets) -> {
            if (got.isEmpty()) {
                return new Batch(List.of(), true, place.nowMillis());
            }
            way.leave(() ->
                    Optional.of(place.call("pop", true, () -> consumed(request, choice, got, Map.of(), sentNanos))
                            .result(0)));
            return consumed(request, choice, got, buckets, sentNanos);
        });
    }

    private Batch takenAtOnce(Choice choice, RepeatableCalls.Way<ClaimResult> way) {
        Pick pick = choice.picks().get(0);
        Draft draft = place.draft(pick.bucket());
        draft.consume(pick.slots());
        // Decoded while the write is under way.
        List<Got> got = List.of(new Got(pick, 0));
        CompletableFuture<Batch> batch = choice.messages() >= Picking.SMALL
                ? place.beside(() -> batch(choice, got))
                : CompletableFuture.completedFuture(batch(choice, got));
        Shelf shelf = place.memory().shelf;
        shelf.forget(List.of(pick.bucket().id));
        if (!once(draft.model(), batch, way)) {
            return new Batch(List.of(), true, place.nowMillis());
        }
        shelf.written(List.of(draft));
        return batch.join();
    }

    /** One write; if its answer is lost, it can be sent again and is not done twice. */
    private boolean once(
            WriteModel<RawBsonDocument> write, CompletableFuture<Batch> result, RepeatableCalls.Way<ClaimResult> way) {
        if (!place.transactional()) {
            return place.writeOne(null, write);
        }
        PinnedSession session = new PinnedSession(place.link.client());
        boolean over = false;
        try {
            boolean done = place.writeOne(session.attempt(), write);
            over = true;
            return done;
        } catch (MongoException failure) {
            over = !MongoErrors.unknown(failure);
            if (!over) {
                way.leave(() -> {
                    boolean done =
                            place.link.call("pop", place.queue, true, () -> place.writeOne(session.attempt(), write));
                    session.close();
                    return done ? Optional.of(result.join().result(0)) : Optional.empty();
                });
            }
            throw failure;
        } finally {
            if (over) {
                session.close();
            }
        }
    }

    private Batch batch(Choice choice, List<Got> got) {
        List<StoredMessage> messages = new ArrayList<>(choice.messages());
        for (Got some : got) {
            Bucket from = some.pick().bucket();
            BitSet slots = some.pick().slots();
            for (int i = slots.nextSetBit(0); i >= 0; i = slots.nextSetBit(i + 1)) {
                Slots.Slot slot = from.slot(i);
                messages.add(from.unheldMessage(i, slot).id(from.idOf(i, slot)).build());
            }
        }
        return new Batch(messages, choice.more() || messages.size() < choice.messages(), place.nowMillis());
    }

    /**
     * Removes what was marked. Until the lease ends nobody else can have got any of it, so what is gone is ours too. After
     * a long stall each bucket is asked for by itself, and what is gone is not handed out.
     */
    private Batch consumed(
            ClaimRequest request, Choice choice, List<Got> got, Map<Place.Id, Bucket> buckets, long sentNanos) {
        long token = CallTokens.hash(request.token());
        if (place.link.timeAsSeen().nanos() - sentNanos > STALLED_NANOS) {
            List<Got> left = got.stream()
                    .filter(some -> consumedAlone(some.pick().bucket().id, token))
                    .toList();
            return batch(choice, left);
        }
        List<Place.Id> ids = got.stream().map(some -> some.pick().bucket().id).toList();
        Shelf shelf = place.memory().shelf;
        Map<Place.Id, Bucket> now = new HashMap<>(buckets);
        now.keySet().retainAll(ids);
        if (now.isEmpty()) {
            now = place.read(null, ids, false);
        }
        while (true) {
            List<Draft> drafts = new ArrayList<>();
            now.values().forEach(bucket -> {
                BitSet mine = held(bucket, token);
                if (!mine.isEmpty()) {
                    Draft draft = place.draft(bucket);
                    draft.consume(mine);
                    drafts.add(draft);
                }
            });
            shelf.forget(ids);
            if (place.write(null, Place.models(drafts)) == drafts.size()) {
                shelf.written(drafts);
                return batch(choice, got);
            }
            now = place.read(null, ids, false);
        }
    }

    private boolean consumedAlone(Place.Id id, long token) {
        while (true) {
            Bucket bucket = place.read(null, List.of(id), false).get(id);
            BitSet mine = bucket == null ? new BitSet() : held(bucket, token);
            if (bucket == null || mine.isEmpty()) {
                return false;
            }
            Draft draft = place.draft(bucket);
            draft.consume(mine);
            if (place.writeOne(null, draft.model())) {
                return true;
            }
        }
    }

    private static BitSet held(Bucket bucket, long token) {
        BitSet held = new BitSet();
        bucket.groups.stream().filter(group -> group.token() == token).forEach(group -> held.or(group.slots()));
        return held;
    }
}
