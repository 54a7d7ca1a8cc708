package dev.jono.jobs.mongo;

import static dev.jono.jobs.mongo.Fields.doc;
import static dev.jono.jobs.mongo.Fields.literal;
import static dev.jono.jobs.mongo.Fields.op;

import dev.jono.jobs.spi.LogLine;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** The expressions by which the server adds lines to the log of a record. */
final class LogUpdate {
    private static final int MAX_LINES = 1000;
    private static final int MAX_BYTES = 256 * 1024;

    private static final BsonString STORED = new BsonString('$' + Fields.LOG);
    private static final BsonString LINES = new BsonString("$$value.lines");
    private static final BsonString BYTES = new BsonString("$$value.bytes");
    private static final BsonString KEPT = new BsonString("$$kept.lines");

    private LogUpdate() {}

    /** An expression: the stored log with these lines, without those over the limit of 1,000 lines. */
    static BsonDocument added(List<LogLine> lines) {
        BsonArray added = new BsonArray(lines.stream()
                .skip(Math.max(0, lines.size() - MAX_LINES))
                .map(LogUpdate::line)
                .toList());
        BsonDocument before = op("$ifNull", STORED, new BsonArray());
        return op("$slice", op("$concatArrays", before, literal(added)), new BsonInt32(-MAX_LINES));
    }

    private static BsonDocument line(LogLine line) {
        return doc(Fields.TIME, new BsonDateTime(line.timeMillis()))
                .append(Fields.ATTEMPT, new BsonInt32(line.attempt()))
                .append(Fields.TEXT, new BsonString(line.text()));
    }

    /** An expression: the stored log without the oldest lines over the limit of 256 KiB. */
    static BsonDocument trimmed() {
        BsonDocument bytes = op("$add", BYTES, doc("$strLenBytes", new BsonString("$$this." + Fields.TEXT)));
        BsonDocument fits = op("$lte", bytes, new BsonInt32(MAX_BYTES));
        // From the last line back. The bytes only grow, so no line is kept after the first that does not fit.
        BsonDocument kept = doc(
                "$reduce",
                doc("input", doc("$reverseArray", STORED))
                        .append("initialValue", doc("lines", Fields.ZERO).append("bytes", Fields.ZERO))
                        .append(
                                "in",
                                doc("lines", op("$cond", fits, op("$add", LINES, Fields.ONE), LINES))
                                        .append("bytes", bytes)));
        BsonDocument last = op("$slice", STORED, op("$multiply", KEPT, new BsonInt32(-1)));
        BsonDocument none = op("$eq", KEPT, Fields.ZERO);
        return doc(
                "$let", doc("vars", doc("kept", kept)).append("in", op("$cond", none, literal(new BsonArray()), last)));
    }
}
