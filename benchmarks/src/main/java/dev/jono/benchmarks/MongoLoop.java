package dev.jono.benchmarks;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lte;

import com.mongodb.ConnectionString;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import dev.jono.JonoClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.bson.BsonDateTime;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;

/**
 * The loop written by hand with which the MongoDB backends are compared: a fixed number of messages per call, the steps
 * find, mark, read back and delete, and Jono's write concern. It uses the clock of this host, sends no signals, counts
 * nothing, and remembers no call for its repetition. {@link MongoFencedLoop} has all steps of Jono.
 */
public class MongoLoop implements QueueClient {
    static final String QUEUE = "loop";
    static final long LEASE_MILLIS = 30_000;
    private static final InsertManyOptions UNORDERED = new InsertManyOptions().ordered(false);

    private final MongoClient client;
    /** The documents of the queue. */
    final MongoCollection<Document> messages;

    private final int batch;
    private final int pushers;
    private final Callers callers = new Callers();

    /** A loop with one caller in the database of this URI. */
    public MongoLoop(String uri, int batch) {
        this(uri, batch, 1);
    }

    /** A loop with several callers that push, and one that takes, because several would mark the same messages. */
    public MongoLoop(String uri, int batch, int pushers) {
        this.client = MongoClients.create(uri);
        this.messages = queue(client, uri);
        this.batch = batch;
        this.pushers = pushers;
        messages.createIndex(Indexes.ascending("mature"));
    }

    /** Returns the collection of a loop in the database of this URI, with Jono's write concern. */
    static MongoCollection<Document> queue(MongoClient client, String uri) {
        return client.getDatabase(Objects.requireNonNull(new ConnectionString(uri).getDatabase()))
                .getCollection(QUEUE)
                .withWriteConcern(WriteConcern.MAJORITY.withJournal(true));
    }

    @Override
    public final String queue() {
        return QUEUE;
    }

    @Override
    public final void run(Step step, NumberedMessages numbered) throws Exception {
        int batches = (numbered.count() + batch - 1) / batch;
        callers.each(step == Step.PUSH ? pushers : 1, batches, index -> {
            int from = index * batch;
            int most = Math.min(batch, numbered.count() - from);
            if (step == Step.PUSH) {
                push(numbered.payloads.subList(from, from + most));
            } else {
                take(step, most, numbered);
            }
        });
    }

    static BsonDateTime now(long plusMillis) {
        return new BsonDateTime(JonoClock.system().wallMillis() + plusMillis);
    }

    private void push(List<String> payloads) {
        BsonDateTime now = now(0);
        List<Document> documents = new ArrayList<>(payloads.size());
        for (String payload : payloads) {
            documents.add(new Document("_id", new ObjectId())
                    .append("mature", now)
                    .append("payload", payload)
                    .append("tries", 0)
                    .append("hdrs", new Document()));
        }
        messages.insertMany(documents, UNORDERED);
    }

    /** Takes this many messages and removes them. Pop and reserve+ack are the same commands here. */
    void take(Step step, int most, NumberedMessages numbered) {
        BsonDateTime now = now(0);
        long token = ThreadLocalRandom.current().nextLong();
        List<ObjectId> ids = new ArrayList<>(most);
        messages.find(lte("mature", now))
                .sort(Sorts.ascending("mature"))
                .projection(Projections.include("_id"))
                .limit(most)
                .batchSize(most + 1)
                .forEach(found -> ids.add(found.getObjectId("_id")));
        messages.updateMany(
                and(in("_id", ids), lte("mature", now)),
                Updates.combine(
                        Updates.set("mature", now(LEASE_MILLIS)),
                        Updates.set("reserved", now),
                        Updates.set("token", token),
                        Updates.inc("tries", 1)));
        Bson mine = and(in("_id", ids), eq("reserved", now), eq("token", token));
        messages.find(mine)
                .batchSize(most + 1)
                .forEach(found -> numbered.arrived(Objects.requireNonNull(found.getString("payload"))));
        requireAll(messages.deleteMany(mine).getDeletedCount(), most);
    }

    static void requireAll(long done, int most) {
        if (done != most) {
            throw new IllegalStateException("the loop took " + done + " of " + most);
        }
    }

    @Override
    public final void close() {
        callers.close();
        client.close();
    }
}
