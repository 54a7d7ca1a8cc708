package dev.jono.backend.mongo;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;

/**
 * Puts what came back by expiry into its old place. A reservation stands where its lease ends, behind what came in
 * meanwhile; it is looked for before a claim, some times a second at most. Its fence stays, so that its holder may still
 * settle it until another claims it.
 */
final class Expired {
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Place place;
    private final AtomicLong lookedNanos;

    Expired(Place place) {
        this.place = place;
        this.lookedNanos = new AtomicLong(place.link.timeAsSeen().nanos() - 2 * PAUSE_NANOS);
    }

    void putBack(String step) {
        long now = place.link.timeAsSeen().nanos();
        long looked = lookedNanos.get();
        if (now - looked < PAUSE_NANOS || !lookedNanos.compareAndSet(looked, now)) {
            return;
        }
        place.call(step, false, () -> {
            BsonDocument ended = place.live();
            ended.put(
                    Fields.LEASE,
                    Fields.doc("$lte", Fields.date(place.link.time().nowMillis())));
            if (place.collection
                            .find(ended)
                            .projection(Fields.doc(Fields.ID, Fields.ONE))
                            .first()
                    != null) {
                BsonDocument over = Fields.op(
                        "$and", Fields.isReserved(), Fields.op("$lte", Fields.field(Fields.MATURE), Fields.NOW));
                BsonDocument set = Fields.doc(
                        Fields.MATURE, Fields.op("$cond", over, Fields.dueBefore(), Fields.field(Fields.MATURE)));
                place.update(null, ended, List.of(Fields.doc("$set", set), History.unset(Fields.LEASE)));
                place.start().reset();
            }
            return place;
        });
    }
}
