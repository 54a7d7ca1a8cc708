package dev.jono.benchmarks;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.lte;

import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.FindOneAndDeleteOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.WriteModel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDateTime;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * The loop written by hand with which the bucket backends are compared. It has Jono's documents, indexes and write
 * concern. A pop is one command per bucket, a reserve+ack two. Inserts run one after the other, so that pushes keep
 * their order, and an ack is answered when it is stored. The loop takes whole buckets, uses the clock of this host,
 * sends no signals, counts nothing, and remembers no call for its repetition. One {@link GatheringThread} per kind of
 * call batches single calls.
 */
final class BucketLoop implements QueueClient {
    private static final int BUCKET = 1000;
    private static final int PUSHERS = 4;
    /** More takers would only compete for the head of the queue. */
    private static final int TAKERS = 2;

    private final MongoClient client;
    private final MongoCollection<Document> buckets;
    private final boolean safe;
    private final int inFlight;
    private final Callers callers = new Callers();

    /** Messages of taken buckets for which no call has asked yet. */
    private final Queue<Held> buffered = new ArrayDeque<>();

    private final GatheringThread<String, Void> pushes = new GatheringThread<>(payloads -> {
        push(payloads);
        return List.of();
    });
    private final GatheringThread<List<String>, Void> lists = new GatheringThread<>(all -> {
        push(all.stream().flatMap(List::stream).toList());
        return List.of();
    });
    private final GatheringThread<Void, Held> pops = new GatheringThread<>(calls -> some(Step.POP, calls.size()));
    private final GatheringThread<Void, Held> claims =
            new GatheringThread<>(calls -> some(Step.RESERVE_ACK, calls.size()));
    private final GatheringThread<Held, Void> acks = new GatheringThread<>(held -> {
        ack(held);
        return List.of();
    });

    /**
     * A loop in the database of this URI.
     *
     * @param safe whether the documents have the fields of {@code bucket-mongo-safe}, whose messages can be reserved
     * @param inFlight the calls in flight for one message each; 0 for lists of a whole bucket by a few callers
     */
    BucketLoop(String uri, boolean safe, int inFlight) {
        this.client = MongoClients.create(uri);
        this.buckets = MongoLoop.queue(client, uri);
        this.safe = safe;
        this.inFlight = inFlight;
    }

    /** A taken bucket; {@code fence} selects its document while this loop holds it. */
    private static final class Taken {
        final Bson fence;
        final List<String> payloads;
        int left;

        Taken(Bson fence, List<String> payloads) {
            this.fence = fence;
            this.payloads = payloads;
            this.left = payloads.size();
        }
    }

    /** One message of a taken bucket. */
    private record Held(Taken bucket, int slot) {
        String payload() {
            return bucket.payloads.get(slot);
        }
    }

    @Override
    public String queue() {
        return MongoLoop.QUEUE;
    }

    @Override
    public void run(Step step, NumberedMessages messages) throws Exception {
        AtomicInteger next = new AtomicInteger();
        if (inFlight > 0) {
            Callers.inFlight(inFlight, messages.count(), () -> switch (step) {
                case PUSH -> pushes.call(messages.payloads.get(next.getAndIncrement()));
                case POP ->
                    pops.call(null)
                            .thenAccept(held -> messages.arrived(
                                    Objects.requireNonNull(held).payload()));
                case RESERVE_ACK ->
                    claims.call(null).thenCompose(held -> {
                        messages.arrived(Objects.requireNonNull(held).payload());
                        return acks.call(held);
                    });
            });
            return;
        }
        callers.sum(step == Step.PUSH ? PUSHERS : TAKERS, () -> {
            if (step == Step.PUSH) {
                for (int from = next.getAndAdd(BUCKET); from < messages.count(); from = next.getAndAdd(BUCKET)) {
                    lists.call(messages.payloads.subList(from, Math.min(from + BUCKET, messages.count())))
                            .get();
                }
                return 0L;
            }
            for (Taken taken = take(step); taken != null; taken = take(step)) {
                taken.payloads.forEach(messages::arrived);
                if (step == Step.RESERVE_ACK) {
                    MongoLoop.requireAll(buckets.deleteOne(taken.fence).getDeletedCount(), 1);
                }
            }
            return 0L;
        });
    }

    private static long version() {
        return ThreadLocalRandom.current().nextLong();
    }

    private void push(List<String> payloads) {
        BsonDateTime now = MongoLoop.now(0);
        List<Document> documents = new ArrayList<>();
        for (int from = 0; from < payloads.size(); from += BUCKET) {
            List<String> inside = payloads.subList(from, Math.min(from + BUCKET, payloads.size()));
            List<Document> slots = new ArrayList<>(inside.size());
            inside.forEach(payload -> slots.add(new Document("__p", payload).append("__h", new Document())));
            Document bucket = new Document("_id", new ObjectId())
                    .append("b", slots)
                    .append("mature", now)
                    .append("n", slots.size())
                    .append("v", version());
            documents.add(safe ? bucket.append("free", now) : bucket);
        }
        buckets.insertMany(documents);
    }

    /** Takes the first due bucket, by deleting or leasing it; returns null if there is none. */
    private @Nullable Taken take(Step step) {
        BsonDateTime now = MongoLoop.now(0);
        String due = safe ? "free" : "mature";
        Document found;
        if (step == Step.POP) {
            found = buckets.findOneAndDelete(lte(due, now), new FindOneAndDeleteOptions().sort(Sorts.ascending(due)));
        } else {
            BsonDateTime end = MongoLoop.now(MongoLoop.LEASE_MILLIS);
            found = buckets.findOneAndUpdate(
                    lte(due, now),
                    Updates.combine(
                            Updates.set("mature", end),
                            Updates.set("lease", end),
                            Updates.set("reserved", now),
                            Updates.set("due", now),
                            Updates.set("v", version()),
                            Updates.set("held", List.of(new Document("by", version()).append("end", end))),
                            Updates.unset("free")),
                    new FindOneAndUpdateOptions().sort(Sorts.ascending(due)).returnDocument(ReturnDocument.AFTER));
        }
        if (found == null) {
            return null;
        }
        List<String> payloads = new ArrayList<>();
        found.getList("b", Document.class).forEach(slot -> payloads.add(Objects.requireNonNull(slot.getString("__p"))));
        return new Taken(and(eq("_id", found.getObjectId("_id")), eq("v", found.getLong("v"))), payloads);
    }

    /** Takes up to this many messages. The rest of the last bucket is kept for the next calls. */
    private List<Held> some(Step step, int most) {
        List<Held> all = new ArrayList<>(most);
        while (all.size() < most) {
            if (buffered.isEmpty()) {
                Taken taken = take(step);
                if (taken == null) {
                    break;
                }
                for (int slot = 0; slot < taken.payloads.size(); slot++) {
                    buffered.add(new Held(taken, slot));
                }
            }
            all.add(buffered.remove());
        }
        return all;
    }

    private void ack(List<Held> all) {
        Map<Taken, List<Held>> byBucket = new LinkedHashMap<>();
        all.forEach(held ->
                byBucket.computeIfAbsent(held.bucket, same -> new ArrayList<>()).add(held));
        List<WriteModel<Document>> writes = new ArrayList<>();
        byBucket.forEach((bucket, held) -> {
            bucket.left -= held.size();
            if (bucket.left == 0) {
                writes.add(new DeleteOneModel<>(bucket.fence));
                return;
            }
            List<Bson> changes = new ArrayList<>();
            held.forEach(one -> changes.add(Updates.set("b." + one.slot, null)));
            changes.add(Updates.inc("n", -held.size()));
            writes.add(new UpdateOneModel<>(bucket.fence, Updates.combine(changes)));
        });
        BulkWriteResult done = buckets.bulkWrite(writes, new BulkWriteOptions().ordered(false));
        MongoLoop.requireAll((long) done.getDeletedCount() + done.getModifiedCount(), writes.size());
    }

    @Override
    public void close() {
        callers.close();
        List.of(pushes, lists, pops, claims, acks).forEach(GatheringThread::close);
        client.close();
    }
}
