package dev.jono.jobs.mongo;

import static dev.jono.jobs.mongo.Fields.doc;
import static dev.jono.jobs.mongo.Fields.literal;
import static dev.jono.jobs.mongo.Fields.op;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import dev.jono.StorageException;
import dev.jono.jobs.spi.LogLine;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.WriteOutcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonMaximumSizeExceededException;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Writes and removes records within a transaction: it reads what decides about the changes, then sends one command for all records, and
 * one for the counts. If another transaction changes one of these records in the meantime, MongoDB refuses the later of the two changes.
 * Blocks the calling thread; thread-safe.
 */
final class RecordWrites {
    private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);
    private static final BsonDocument DECIDING =
            doc(Fields.TYPE, Fields.ONE).append(Fields.STATE, Fields.ONE).append(Fields.ATTEMPT, Fields.ONE);

    /** More than the records of a call, so that one answer has them all. */
    private static final int AT_ONCE = 1000;

    private final MongoCollection<RawBsonDocument> records;
    private final Counts counts;

    RecordWrites(MongoCollection<RawBsonDocument> records, Counts counts) {
        this.records = records;
        this.counts = counts;
    }

    /** What decides about a change of a record. */
    private record Head(String type, RecordState state, int attempt) {}

    /** A record that the transaction changes. */
    private static final class Changed {
        private final @Nullable Head before;
        private @Nullable Head now;
        private @Nullable RecordChange last;
        private final List<LogLine> lines = new ArrayList<>();

        Changed(@Nullable Head before) {
            this.before = before;
            this.now = before;
        }

        WriteOutcome add(RecordChange change) {
            WriteOutcome refusal = refusal(change);
            if (refusal != null) {
                return refusal;
            }
            now = new Head(change.type(), change.state(), change.attempt());
            last = change;
            lines.addAll(change.logLines());
            return WriteOutcome.STORED;
        }

        private @Nullable WriteOutcome refusal(RecordChange change) {
            if (change.reopens()) {
                return now != null && now.state == RecordState.FAILED ? null : WriteOutcome.ENDED;
            }
            if (now == null) {
                return null;
            }
            if (now.state.isEnded()) {
                return WriteOutcome.ENDED;
            }
            return change.state() == RecordState.OPEN && change.attempt() < now.attempt ? WriteOutcome.STALE : null;
        }

        void count(Counts.Change numbers) {
            if (before != null) {
                numbers.add(before.type, before.state, -1);
            }
            if (now != null) {
                numbers.add(now.type, now.state, 1);
            }
        }
    }

    /**
     * Writes records.
     *
     * @param firstAttempt whether no attempt of this transaction has failed
     */
    List<WriteOutcome> write(ClientSession session, List<RecordChange> changes, boolean firstAttempt) {
        Map<String, Head> stored = read(
                session,
                Fields.ofJobs(changes.stream().map(RecordChange::id).distinct().toList()));
        Map<String, Changed> changed = new LinkedHashMap<>();
        List<WriteOutcome> outcomes = new ArrayList<>(changes.size());
        for (RecordChange change : changes) {
            outcomes.add(changed.computeIfAbsent(change.id(), id -> new Changed(stored.get(id)))
                    .add(change));
        }
        List<UpdateOneModel<RawBsonDocument>> updates = new ArrayList<>();
        Counts.Change numbers = new Counts.Change();
        for (Changed each : changed.values()) {
            if (each.last != null) {
                updates.add(update(each.last, each.lines));
                each.count(numbers);
            }
        }
        if (!updates.isEmpty()) {
            update(session, updates);
            counts.apply(session, numbers, firstAttempt);
        }
        return outcomes;
    }

    private Map<String, Head> read(ClientSession session, BsonDocument filter) {
        Map<String, Head> heads = new LinkedHashMap<>();
        for (RawBsonDocument stored :
                records.find(session, filter).projection(DECIDING).batchSize(AT_ONCE)) {
            heads.put(
                    stored.getString(Fields.ID).getValue(),
                    Fields.checked(
                            stored,
                            record -> new Head(
                                    record.getString(Fields.TYPE).getValue(),
                                    Fields.state(record),
                                    record.getInt32(Fields.ATTEMPT).getValue())));
        }
        return heads;
    }

    private void update(ClientSession session, List<UpdateOneModel<RawBsonDocument>> updates) {
        try {
            records.bulkWrite(session, updates);
        } catch (BsonMaximumSizeExceededException tooLarge) {
            throw new StorageException("a record is larger than MongoDB's 16 MiB for a document", null, null, tooLarge);
        }
    }

    private static UpdateOneModel<RawBsonDocument> update(RecordChange change, List<LogLine> lines) {
        Long keep = change.keepMillis();
        BsonValue until = keep == null ? Fields.REMOVE_FIELD : op("$add", Fields.NOW, new BsonInt64(keep));
        BsonValue tags = change.tags().isEmpty() ? Fields.REMOVE_FIELD : literal(Fields.texts(change.tags()));
        BsonDocument set = doc(Fields.TYPE, literal(change.type()))
                .append(Fields.STATE, new BsonString(Fields.name(change.state())))
                .append(Fields.ATTEMPT, new BsonInt32(change.attempt()))
                .append(Fields.CHANGED, Fields.NOW)
                .append(Fields.UNTIL, until)
                .append(Fields.TAGS, tags)
                .append(Fields.DOCUMENT, literal(change.document()));
        List<BsonDocument> steps = List.of(doc("$set", set));
        if (!lines.isEmpty()) {
            set.put(Fields.LOG, LogUpdate.added(lines));
            steps = List.of(doc("$set", set), doc("$set", doc(Fields.LOG, LogUpdate.trimmed())));
        }
        return new UpdateOneModel<>(doc(Fields.ID, new BsonString(change.id())), steps, UPSERT);
    }

    /**
     * Removes records.
     *
     * @param firstAttempt whether no attempt of this transaction has failed
     * @return the jobs whose records are removed
     */
    Collection<String> remove(ClientSession session, BsonDocument filter, boolean firstAttempt) {
        Map<String, Head> stored = read(session, filter);
        if (!stored.isEmpty()) {
            Counts.Change numbers = new Counts.Change();
            stored.values().forEach(head -> numbers.add(head.type, head.state, -1));
            records.deleteMany(session, Fields.ofJobs(stored.keySet()));
            counts.apply(session, numbers, firstAttempt);
        }
        return stored.keySet();
    }
}
