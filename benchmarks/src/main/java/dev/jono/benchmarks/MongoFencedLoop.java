package dev.jono.benchmarks;

import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.bson.Document;

/**
 * {@link MongoLoop} with the fields and steps that Jono's guarantees need. The clock of the server decides what is due
 * and when a lease ends. An index of leases lets messages return to their old place. An ack reads the fences before it
 * deletes. Messages are read once, as in Jono when no other consumer competes.
 */
public final class MongoFencedLoop extends MongoLoop {
    private static final Document REMOVED =
            new Document("taken", true).append("lease", "$$REMOVE").append("due", "$$REMOVE");

    /** A loop with one caller in the database of this URI. */
    public MongoFencedLoop(String uri, int batch) {
        super(uri, batch);
        messages.createIndex(Indexes.ascending("lease"), new IndexOptions().sparse(true));
    }

    private static Document op(String operator, Object... operands) {
        return new Document(operator, List.of(operands));
    }

    @Override
    void take(Step step, int most, NumberedMessages numbered) {
        List<Document> found = messages.find(new Document("mature", new Document("$type", "date"))
                        .append("$expr", op("$lte", "$mature", "$$NOW")))
                .sort(Sorts.ascending("mature"))
                .limit(most)
                .batchSize(most + 1)
                .into(new ArrayList<>());
        List<Object> ids = new ArrayList<>(most);
        found.forEach(document -> ids.add(document.getObjectId("_id")));
        long token = ThreadLocalRandom.current().nextLong();
        requireAll(mark(step, found, ids, token), most);
        found.forEach(document -> numbered.arrived(Objects.requireNonNull(document.getString("payload"))));
        if (step == Step.POP) {
            requireAll(messages.deleteMany(in(ids).append("token", token)).getDeletedCount(), most);
            return;
        }
        Document first =
                Objects.requireNonNull(messages.find(in(ids.subList(0, 1)).append("token", token))
                        .projection(Projections.include("reserved", "mature"))
                        .first());
        Document fence = new Document("reserved", first.getDate("reserved")).append("token", token);
        List<Object> mine = new ArrayList<>(most);
        messages.find(in(ids))
                .projection(Projections.include("reserved", "token"))
                .batchSize(most + 1)
                .forEach(document -> {
                    if (document.getLong("token") == token) {
                        mine.add(document.getObjectId("_id"));
                    }
                });
        Document held = in(mine);
        held.putAll(fence);
        requireAll(messages.deleteMany(held).getDeletedCount(), most);
    }

    private static Document in(List<Object> ids) {
        return new Document("_id", new Document("$in", ids));
    }

    private long mark(Step step, List<Document> found, List<Object> ids, long token) {
        Document asFound = in(ids).append(
                        "mature",
                        new Document("$lte", found.get(found.size() - 1).getDate("mature")))
                .append("reserved", new Document("$exists", false))
                .append("tries", 0);
        Document end = op("$add", "$$NOW", LEASE_MILLIS);
        Document set = new Document("mature", end).append("reserved", "$$NOW").append("token", token);
        if (step == Step.POP) {
            set.putAll(REMOVED);
        } else {
            set.append("lease", end)
                    .append("due", "$mature")
                    .append("taken", "$$REMOVE")
                    .append("tries", 1);
        }
        return messages.updateMany(asFound, List.of(new Document("$set", set))).getModifiedCount();
    }
}
