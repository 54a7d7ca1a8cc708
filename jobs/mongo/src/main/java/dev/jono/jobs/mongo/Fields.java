package dev.jono.jobs.mongo;

import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import dev.jono.StorageException;
import dev.jono.jobs.spi.LogLine;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredRecord;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInvalidOperationException;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The fields of the documents, the indexes, and the parts of commands that several classes use. */
final class Fields {
    /** The job. */
    static final String ID = "_id";
    /** The name of the job's type. */
    static final String TYPE = "type";
    /** One of {@link #name(RecordState)}. */
    static final String STATE = "state";
    /** The number of the run; also in a line of the log. */
    static final String ATTEMPT = "attempt";
    /** The time of the last write. */
    static final String CHANGED = "changed";
    /** The end of the retention; missing if there is none. */
    static final String UNTIL = "until";
    /** The tags; missing if there are none. */
    static final String TAGS = "tags";
    /** The content, as a text. */
    static final String DOCUMENT = "document";
    /** The lines of the log; missing if there were none. */
    static final String LOG = "log";
    /** In a line: when it was logged. */
    static final String TIME = "time";
    /** In a line: its text. */
    static final String TEXT = "text";

    static final BsonString NOW = new BsonString("$$NOW");
    static final BsonString REMOVE_FIELD = new BsonString("$$REMOVE");
    static final BsonInt32 ZERO = new BsonInt32(0);
    static final BsonInt32 ONE = new BsonInt32(1);
    private static final BsonInt32 DOWN = new BsonInt32(-1);

    private static final Map<String, RecordState> STATES =
            Arrays.stream(RecordState.values()).collect(Collectors.toMap(Fields::name, Function.identity()));

    /** Lists and expiry. Records without tags, or without an end of their retention, are not in the index for these. */
    static final List<IndexModel> INDEXES = List.of(
            new IndexModel(
                    doc(TYPE, ONE).append(STATE, ONE).append(CHANGED, DOWN).append(ID, ONE),
                    new IndexOptions().name("list")),
            new IndexModel(
                    doc(TYPE, ONE)
                            .append(STATE, ONE)
                            .append(TAGS, ONE)
                            .append(CHANGED, DOWN)
                            .append(ID, ONE),
                    new IndexOptions().name("tag").partialFilterExpression(present(TAGS))),
            new IndexModel(
                    doc(UNTIL, ONE).append(ID, ONE),
                    new IndexOptions().name("until").partialFilterExpression(present(UNTIL))));

    private Fields() {}

    static BsonDocument doc(String name, BsonValue value) {
        return new BsonDocument(name, value);
    }

    static BsonDocument op(String operator, BsonValue... operands) {
        return new BsonDocument(operator, new BsonArray(List.of(operands)));
    }

    /** An expression: this value, whatever it contains. */
    static BsonDocument literal(BsonValue value) {
        return doc("$literal", value);
    }

    static BsonDocument literal(String text) {
        return literal(new BsonString(text));
    }

    static BsonArray texts(Collection<String> texts) {
        return new BsonArray(texts.stream().map(BsonString::new).toList());
    }

    private static BsonDocument present(String field) {
        return doc(field, doc("$exists", BsonBoolean.TRUE));
    }

    /** A filter: the records of these jobs. */
    static BsonDocument ofJobs(Collection<String> ids) {
        return doc(ID, doc("$in", texts(ids)));
    }

    /** Restricts a filter to records whose retention has ended by the server's clock. */
    static BsonDocument over(BsonDocument filter) {
        BsonDocument over = filter.clone();
        if (!over.containsKey(UNTIL)) {
            over.put(UNTIL, doc("$type", new BsonString("date"))); // a missing time would be less than any other
        }
        return over.append("$expr", op("$lte", new BsonString('$' + UNTIL), NOW));
    }

    /** The stored name of a state. It must stay the same when the constant is renamed. */
    static String name(RecordState state) {
        return switch (state) {
            case OPEN -> "open";
            case FAILED -> "failed";
            case SUCCEEDED -> "succeeded";
            case CANCELLED -> "cancelled";
            case EXPIRED -> "expired";
        };
    }

    /** The state of a record. */
    static RecordState state(BsonDocument record) {
        RecordState state = STATES.get(record.getString(STATE).getValue());
        if (state == null) {
            throw new BsonInvalidOperationException("the state is " + record.get(STATE));
        }
        return state;
    }

    /** A record as it is stored, without its log. */
    static StoredRecord record(BsonDocument stored) {
        return checked(
                stored,
                record -> new StoredRecord(
                        record.getString(ID).getValue(),
                        record.getString(TYPE).getValue(),
                        state(record),
                        record.getInt32(ATTEMPT).getValue(),
                        record.getString(DOCUMENT).getValue(),
                        record.getDateTime(CHANGED).getValue(),
                        record.containsKey(UNTIL)
                                ? (Long) record.getDateTime(UNTIL).getValue()
                                : null));
    }

    /** The log of a record. */
    static List<LogLine> log(BsonDocument stored) {
        return checked(
                stored,
                record -> record.getArray(LOG, new BsonArray()).stream()
                        .map(BsonValue::asDocument)
                        .map(line -> new LogLine(
                                line.getDateTime(TIME).getValue(),
                                line.getInt32(ATTEMPT).getValue(),
                                line.getString(TEXT).getValue()))
                        .toList());
    }

    /** Reads a document, which another program may have changed. */
    static <R> R checked(BsonDocument stored, Function<BsonDocument, R> read) {
        try {
            return read.apply(stored);
        } catch (BsonInvalidOperationException damaged) {
            throw new StorageException(
                    "the record of job " + stored.get(ID) + " is damaged: " + damaged.getMessage(),
                    null,
                    null,
                    damaged);
        }
    }
}
