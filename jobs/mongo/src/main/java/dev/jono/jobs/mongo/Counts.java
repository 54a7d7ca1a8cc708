package dev.jono.jobs.mongo;

import static dev.jono.jobs.mongo.Fields.doc;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import dev.jono.jobs.spi.RecordState;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.RawBsonDocument;

/**
 * The number of records per type and state. Each type has up to {@value #PARTS} documents, whose sums are the numbers, because two
 * transactions cannot change the same document at once. A store chooses one at random, and another one after a conflict. Blocks the
 * calling thread; thread-safe.
 */
final class Counts {
    private static final int PARTS = 16;
    /** In the {@code _id}. */
    private static final String PART = "part";

    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

    private final MongoCollection<RawBsonDocument> documents;
    /** The document that this store changes. */
    private volatile int part = anyPart();

    Counts(MongoCollection<RawBsonDocument> documents) {
        this.documents = documents;
    }

    private static int anyPart() {
        return ThreadLocalRandom.current().nextInt(PARTS);
    }

    /** The changes of the numbers by one transaction. Used by one thread. */
    static final class Change {
        private final Map<String, Map<RecordState, Long>> numbers = new HashMap<>();

        /** Adds to a number. */
        void add(String type, RecordState state, long number) {
            numbers.computeIfAbsent(type, t -> new EnumMap<>(RecordState.class)).merge(state, number, Long::sum);
        }
    }

    /**
     * Changes the numbers, as the last step of a transaction: until its end, other transactions cannot change the same documents.
     *
     * @param firstAttempt whether no attempt of this transaction has failed
     */
    void apply(ClientSession session, Change change, boolean firstAttempt) {
        if (!firstAttempt) {
            part = anyPart();
        }
        int chosen = part;
        List<UpdateOneModel<RawBsonDocument>> updates = new ArrayList<>();
        change.numbers.forEach((type, numbers) -> {
            BsonDocument increments = new BsonDocument();
            numbers.forEach((state, number) -> {
                if (number != 0) {
                    increments.put(Fields.name(state), new BsonInt64(number));
                }
            });
            if (!increments.isEmpty()) {
                BsonDocument id = doc(Fields.TYPE, new BsonString(type)).append(PART, new BsonInt32(chosen));
                updates.add(new UpdateOneModel<>(doc(Fields.ID, id), doc("$inc", increments), UPSERT));
            }
        });
        if (!updates.isEmpty()) {
            documents.bulkWrite(session, updates);
        }
    }

    /** The numbers per type and state, without zeros. */
    Map<String, Map<RecordState, Long>> read() {
        BsonDocument group = doc(Fields.ID, new BsonString("$_id." + Fields.TYPE));
        for (RecordState state : RecordState.values()) {
            group.put(Fields.name(state), doc("$sum", new BsonString('$' + Fields.name(state))));
        }
        Map<String, Map<RecordState, Long>> counts = new HashMap<>();
        for (RawBsonDocument sums : documents.aggregate(List.of(doc("$group", group)))) {
            Map<RecordState, Long> numbers = new EnumMap<>(RecordState.class);
            for (RecordState state : RecordState.values()) {
                long number = sums.getNumber(Fields.name(state)).longValue();
                if (number > 0) {
                    numbers.put(state, number);
                }
            }
            if (!numbers.isEmpty()) {
                counts.put(sums.getString(Fields.ID).getValue(), numbers);
            }
        }
        return counts;
    }
}
