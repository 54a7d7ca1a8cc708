package dev.jono.jobs.sqlite;

import dev.jono.backend.sqlite.SqliteFile.Statements;
import dev.jono.jobs.spi.LogLine;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.WriteOutcome;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes records within a transaction, then the changed counts. Used by the writer's thread. */
final class RecordWrite {
    private static final int MAX_LINES = 1000;
    private static final int MAX_LOG_BYTES = 256 * 1024;

    private static final String BEFORE = "SELECT type, state, attempt, changed, tags FROM job WHERE id=?";
    private static final String ADD = "INSERT INTO job(id, type, state, attempt, changed, until, tags, document)"
            + " VALUES(?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(id) DO NOTHING";
    private static final String REPLACE =
            "UPDATE job SET type=?2, state=?3, attempt=?4, changed=?5, until=?6, tags=?7, document=?8 WHERE id=?1";
    private static final String REMOVE = "DELETE FROM job WHERE id=?";
    private static final String REMOVE_LOG = "DELETE FROM job_log WHERE id=?";
    private static final String COUNT = "INSERT INTO job_count(type, state, number) VALUES(?, ?, ?)"
            + " ON CONFLICT DO UPDATE SET number=number+excluded.number";
    private static final String TAG = "INSERT INTO job_tag(type, tag, state, changed, id) VALUES(?, ?, ?, ?, ?)";
    private static final String UNTAG = "DELETE FROM job_tag WHERE type=? AND tag=? AND state=? AND changed=? AND id=?";
    private static final String LAST_LINE = "SELECT max(line) FROM job_log WHERE id=?";
    private static final String ADD_LINE =
            "INSERT INTO job_log(id, line, time, attempt, bytes, text) VALUES(?, ?, ?, ?, ?, ?)";
    private static final String SIZES = "SELECT line, bytes FROM job_log WHERE id=? ORDER BY line DESC";
    private static final String TRIM = "DELETE FROM job_log WHERE id=? AND line<?";

    /** The states; the index of each is its number in the tables. */
    private static final List<RecordState> STATES = List.of(
            RecordState.OPEN, RecordState.FAILED, RecordState.SUCCEEDED, RecordState.CANCELLED, RecordState.EXPIRED);

    private final Statements statements;
    private final long now;
    /** How the numbers of records change, by type and state. */
    private final Map<String, Map<RecordState, Integer>> counts = new HashMap<>();

    RecordWrite(Statements statements, long now) {
        this.statements = statements;
        this.now = now;
    }

    /** The stored columns that a write needs. */
    private record Before(
            String type,
            RecordState state,
            int attempt,
            long changed,
            @Nullable String tags) {}

    static RecordState state(int number) {
        return STATES.get(number);
    }

    static int number(RecordState state) {
        return STATES.indexOf(state);
    }

    /** Writes a record. Most changes are the first one of their job, which one statement stores. */
    WriteOutcome write(RecordChange change) throws SQLException {
        if (change.reopens() || bind(ADD, change).executeUpdate() == 0) {
            Before before = find(change.id());
            if (before == null) {
                return WriteOutcome.ENDED; // there is nothing to reopen
            }
            WriteOutcome refusal = refusal(before, change);
            if (refusal != null) {
                return refusal;
            }
            untag(change.id(), before);
            bind(REPLACE, change).executeUpdate();
            count(before.type, before.state, -1);
        }
        count(change.type(), change.state(), 1);
        tag(change);
        if (!change.logLines().isEmpty()) {
            addLines(change.id(), change.logLines());
        }
        return WriteOutcome.STORED;
    }

    private @Nullable Before find(String id) throws SQLException {
        PreparedStatement select = statements.prepare(BEFORE);
        select.setString(1, id);
        try (ResultSet row = select.executeQuery()) {
            return row.next()
                    ? new Before(
                            row.getString(1), state(row.getInt(2)), row.getInt(3), row.getLong(4), row.getString(5))
                    : null;
        }
    }

    private static @Nullable WriteOutcome refusal(Before before, RecordChange change) {
        if (change.reopens()) {
            return before.state == RecordState.FAILED ? null : WriteOutcome.ENDED;
        }
        if (before.state.isEnded()) {
            return WriteOutcome.ENDED;
        }
        return change.state() == RecordState.OPEN && change.attempt() < before.attempt ? WriteOutcome.STALE : null;
    }

    private PreparedStatement bind(String sql, RecordChange change) throws SQLException {
        PreparedStatement store = statements.prepare(sql);
        store.setString(1, change.id());
        store.setString(2, change.type());
        store.setInt(3, number(change.state()));
        store.setInt(4, change.attempt());
        store.setLong(5, now);
        Long keep = change.keepMillis();
        if (keep == null) {
            store.setNull(6, Types.INTEGER);
        } else {
            store.setLong(6, now + keep);
        }
        store.setString(7, change.tags().isEmpty() ? null : String.join(",", change.tags()));
        store.setString(8, change.document());
        return store;
    }

    private void tag(RecordChange change) throws SQLException {
        for (String tag : change.tags()) {
            tag(TAG, change.type(), tag, change.state(), now, change.id());
        }
    }

    private void untag(String id, Before before) throws SQLException {
        for (String tag : before.tags == null ? Set.<String>of() : Set.of(before.tags.split(",", -1))) {
            tag(UNTAG, before.type, tag, before.state, before.changed, id);
        }
    }

    private void tag(String sql, String type, String tag, RecordState state, long changed, String id)
            throws SQLException {
        PreparedStatement statement = statements.prepare(sql);
        statement.setString(1, type);
        statement.setString(2, tag);
        statement.setInt(3, number(state));
        statement.setLong(4, changed);
        statement.setString(5, id);
        statement.executeUpdate();
    }

    private void count(String type, RecordState state, int by) {
        counts.computeIfAbsent(type, key -> new EnumMap<>(RecordState.class)).merge(state, by, Integer::sum);
    }

    /** Stores the counts. Called once, after all records. */
    void storeCounts() throws SQLException {
        for (Map.Entry<String, Map<RecordState, Integer>> type : counts.entrySet()) {
            for (Map.Entry<RecordState, Integer> state : type.getValue().entrySet()) {
                PreparedStatement count = statements.prepare(COUNT);
                count.setString(1, type.getKey());
                count.setInt(2, number(state.getKey()));
                count.setInt(3, state.getValue());
                count.executeUpdate();
            }
        }
    }

    private void addLines(String id, List<LogLine> lines) throws SQLException {
        PreparedStatement select = statements.prepare(LAST_LINE);
        select.setString(1, id);
        long next;
        try (ResultSet row = select.executeQuery()) {
            next = row.next() ? row.getLong(1) + 1 : 1;
        }
        PreparedStatement add = statements.prepare(ADD_LINE);
        for (LogLine line : lines) {
            add.setString(1, id);
            add.setLong(2, next++);
            add.setLong(3, line.timeMillis());
            add.setInt(4, line.attempt());
            add.setInt(5, line.text().getBytes(StandardCharsets.UTF_8).length);
            add.setString(6, line.text());
            add.executeUpdate();
        }
        trim(id);
    }

    /** Deletes the oldest lines over the limits of 1,000 lines and 256 KiB. */
    private void trim(String id) throws SQLException {
        PreparedStatement sizes = statements.prepare(SIZES);
        sizes.setString(1, id);
        long first = 0;
        int bytes = 0;
        try (ResultSet rows = sizes.executeQuery()) {
            for (int kept = 0; rows.next(); kept++) {
                bytes += rows.getInt(2);
                if (kept == MAX_LINES || bytes > MAX_LOG_BYTES) {
                    first = rows.getLong(1) + 1;
                    break;
                }
            }
        }
        if (first > 0) {
            PreparedStatement trim = statements.prepare(TRIM);
            trim.setString(1, id);
            trim.setLong(2, first);
            trim.executeUpdate();
        }
    }

    boolean remove(String id) throws SQLException {
        Before before = find(id);
        if (before == null) {
            return false;
        }
        untag(id, before);
        count(before.type, before.state, -1);
        for (String sql : List.of(REMOVE, REMOVE_LOG)) {
            PreparedStatement delete = statements.prepare(sql);
            delete.setString(1, id);
            delete.executeUpdate();
        }
        return true;
    }
}
