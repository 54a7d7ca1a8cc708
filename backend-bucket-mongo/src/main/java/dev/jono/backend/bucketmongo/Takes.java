package dev.jono.backend.bucketmongo;

import com.mongodb.client.model.WriteModel;
import dev.jono.backend.bucketmongo.Claims.Batch;
import dev.jono.backend.bucketmongo.Claims.Got;
import dev.jono.backend.bucketmongo.Picking.Choice;
import dev.jono.backend.bucketmongo.Picking.Pick;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.CallTokens;
import dev.jono.support.mongo.RepeatableCalls;
import dev.jono.support.mongo.RepeatableWrite;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import org.bson.RawBsonDocument;

/**
 * Takes messages out. Those of one bucket in one write, which either was done or was not, as the server knows by its number. A
 * command that changes several buckets tells only how many; so those are marked first, as a claim does, and then consumed.
 */
final class Takes {
    /** A take that dies between its steps gives the messages back after this time. */
    private static final long LEASE_MILLIS = 30_000;

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
        return claims.held(request, choice, LEASE_MILLIS, way, (got, buckets) -> {
            if (got.isEmpty()) {
                return new Batch(List.of(), true, place.nowMillis());
            }
            long endMillis = got.stream().mapToLong(Got::endMillis).min().orElse(0);
            return new Consumption(
                            place, choice, CallTokens.hash(request.token()), endMillis, picks -> batch(choice, picks))
                    .of(buckets, way);
        });
    }

    private Batch takenAtOnce(Choice choice, RepeatableCalls.Way<ClaimResult> way) {
        Pick pick = choice.picks().get(0);
        Draft draft = place.draft(pick.bucket());
        draft.consume(pick.slots());
        // Decoded while the write is under way.
        List<Pick> got = List.of(pick);
        Supplier<Batch> batch;
        if (choice.messages() >= Picking.SMALL) {
            batch = place.beside(() -> batch(choice, got))::join;
        } else {
            Batch decoded = batch(choice, got);
            batch = () -> decoded;
        }
        Shelf shelf = place.memory().shelf;
        shelf.forget(List.of(pick.bucket().id));
        if (!once(draft.model(), batch, way)) {
            return new Batch(List.of(), true, place.nowMillis());
        }
        shelf.written(List.of(draft));
        return batch.get();
    }

    /** One write; if its answer is lost, the repetition asks what became of it. */
    private boolean once(
            WriteModel<RawBsonDocument> write, Supplier<Batch> result, RepeatableCalls.Way<ClaimResult> way) {
        return new RepeatableWrite<>(place.link, "pop", place.queue, session -> place.writeOne(session, write))
                .send(again -> way.leave(() -> again.get()
                        .filter(done -> done)
                        .map(done -> result.get().result(0))));
    }

    private Batch batch(Choice choice, List<Pick> picks) {
        List<StoredMessage> messages = new ArrayList<>(choice.messages());
        for (Pick pick : picks) {
            Bucket from = pick.bucket();
            BitSet slots = pick.slots();
            for (int i = slots.nextSetBit(0); i >= 0; i = slots.nextSetBit(i + 1)) {
                Slots.Slot slot = from.slot(i);
                messages.add(from.unheldMessage(i, slot).id(from.idOf(i, slot)).build());
            }
        }
        boolean more = choice.more() || messages.size() < choice.messages();
        return new Batch(messages, more, place.link.timeAsSeen().nowMillis());
    }
}
