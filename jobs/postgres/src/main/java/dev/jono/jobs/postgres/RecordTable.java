package dev.jono.jobs.postgres;

import dev.jono.jobs.spi.RecordQuery;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.StoredRecord;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads records and their counts, within a transaction. */
final class RecordTable {
    private static final String COLUMNS = "j.id, j.type, j.state, j.attempt, j.document, j.changed, j.until";
    private static final String READ = "SELECT " + COLUMNS + " FROM jono.job j JOIN unnest(?::text[]) WITH ORDINALITY"
            + " AS r(id, place) ON j.id = r.id ORDER BY r.place";
    private static final String EXPIRED = "SELECT " + COLUMNS
            + " FROM jono.job j WHERE j.until <= (SELECT jono.millis())" + " ORDER BY j.until LIMIT ?";
    private static final String FIND = "SELECT " + COLUMNS + " FROM jono.job j WHERE j.type = ? AND j.state = ?"
            + " AND j.changed <= ? AND (j.changed < ? OR j.id > ?) ORDER BY j.changed DESC, j.id LIMIT ?";
    private static final String FIND_TAG = "SELECT " + COLUMNS + " FROM jono.job_tag t JOIN jono.job j ON j.id = t.id"
            + " WHERE t.type = ? AND t.state = ? AND t.changed <= ? AND (t.changed < ? OR t.id > ?) AND t.tag = ?"
            + " ORDER BY t.changed DESC, t.id LIMIT ?";
    private static final String OLDEST =
            "SELECT id FROM jono.job WHERE type = ? AND state = ? ORDER BY changed, id DESC LIMIT ?";
    private static final String COUNTS = "SELECT type, state, number FROM jono.job_count WHERE number > 0";

    /** The states; the index of each is its number in the tables. */
    private static final List<RecordState> STATES = List.of(
            RecordState.OPEN, RecordState.FAILED, RecordState.SUCCEEDED, RecordState.CANCELLED, RecordState.EXPIRED);

    private RecordTable() {}

    static RecordState state(int number) {
        return STATES.get(number);
    }

    static int number(RecordState state) {
        return STATES.indexOf(state);
    }

    static List<StoredRecord> read(SqlTransaction tx, List<String> ids) throws SQLException {
        try (PreparedStatement read = tx.prepareAnew(READ)) {
            read.setArray(1, tx.texts(ids));
            return records(read);
        }
    }

    static List<StoredRecord> expired(SqlTransaction tx, int max) throws SQLException {
        try (PreparedStatement read = tx.prepareAnew(EXPIRED)) {
            read.setInt(1, max);
            return records(read);
        }
    }

    static List<StoredRecord> find(SqlTransaction tx, RecordQuery query) throws SQLException {
        RecordQuery.Position after = query.after();
        String tag = query.tag();
        try (PreparedStatement read = tx.prepareAnew(tag == null ? FIND : FIND_TAG)) {
            read.setString(1, query.type());
            read.setInt(2, number(query.state()));
            read.setLong(3, after == null ? Long.MAX_VALUE : after.changedMillis());
            read.setLong(4, after == null ? Long.MAX_VALUE : after.changedMillis());
            read.setString(5, after == null ? "" : after.id());
            if (tag == null) {
                read.setInt(6, query.limit());
            } else {
                read.setString(6, tag);
                read.setInt(7, query.limit());
            }
            return records(read);
        }
    }

    private static List<StoredRecord> records(PreparedStatement select) throws SQLException {
        List<StoredRecord> records = new ArrayList<>();
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                records.add(record(rows));
            }
        }
        return records;
    }

    private static StoredRecord record(ResultSet row) throws SQLException {
        long until = row.getLong(7);
        @Nullable Long keepUntil = row.wasNull() ? null : (Long) until;
        return new StoredRecord(
                row.getString(1),
                row.getString(2),
                state(row.getInt(3)),
                row.getInt(4),
                row.getString(5),
                row.getLong(6),
                keepUntil);
    }

    static List<String> oldest(SqlTransaction tx, String type, RecordState state, int max) throws SQLException {
        List<String> ids = new ArrayList<>();
        try (PreparedStatement read = tx.prepareAnew(OLDEST)) {
            read.setString(1, type);
            read.setInt(2, number(state));
            read.setInt(3, max);
            try (ResultSet rows = read.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getString(1));
                }
            }
        }
        return ids;
    }

    static Map<String, Map<RecordState, Long>> counts(SqlTransaction tx) throws SQLException {
        Map<String, Map<RecordState, Long>> counts = new HashMap<>();
        try (PreparedStatement select = tx.prepareAnew(COUNTS);
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                counts.computeIfAbsent(rows.getString(1), type -> new EnumMap<>(RecordState.class))
                        .put(state(rows.getInt(2)), rows.getLong(3));
            }
        }
        return counts;
    }
}
