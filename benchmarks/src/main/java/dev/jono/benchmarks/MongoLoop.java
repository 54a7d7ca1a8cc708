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
import org.bson.BsonDateTime;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.ObjectId;

/**
 * The hand-written loop that the MongoDB backends are measured against: one caller, so many messages a call, with the
 * steps that Jono takes (find, mark, read back, delete) and its write concern. It goes by the host's clock, and has no
 * signals, no stats, no memory of calls that may be repeated.
 */
public final class MongoLoop implements Contender {
    private static final String QUEUE = "loop";
    private static final long LEASE_MILLIS = 30_000;
    private static final InsertManyOptions UNORDERED = new InsertManyOptions().ordered(false);

    private final MongoClient client;
    private final MongoCollection<Document> messages;
    private final int batch;
    private long token = 1;

    /** In the database that a URI names. */
    public MongoLoop(String uri, int batch) {
        this.client = MongoClients.create(uri);
        this.messages = client.getDatabase(Objects.requireNonNull(new ConnectionString(uri).getDatabase()))
                .getCollection(QUEUE)
                .withWriteConcern(WriteConcern.MAJORITY.withJournal(true));
        this.batch = batch;
        messages.createIndex(Indexes.ascending("mature"));
    }

    @Override
    public String queue() {
        return QUEUE;
    }

    @Override
    public void run(Step step, Numbered numbered) {
        for (int done = 0; done < numbered.count(); done += batch) {
            int most = Math.min(batch, numbered.count() - done);
            if (step == Step.PUSH) {
                push(numbered.payloads.subList(done, done + most));
            } else {
                take(most, numbered);
            }
        }
    }

    private static BsonDateTime now(long plusMillis) {
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

    /** A pop and a reserve with its ack are the same commands. */
    private void take(int most, Numbered numbered) {
        BsonDateTime now = now(0);
        List<ObjectId> ids = new ArrayList<>(most);
        messages.find(lte("mature", now))
                .sort(Sorts.ascending("mature"))
                .projection(Projections.include("_id"))
                .limit(most)
                .batchSize(most + 1)
                .forEach(found -> ids.add(found.getObjectId("_id")));
        token++;
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
        long done = messages.deleteMany(mine).getDeletedCount();
        if (done != most) {
            throw new IllegalStateException("the loop took " + done + " of " + most);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
