package dev.jono.jobs.postgres;

import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.WriteOutcome;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes records within a transaction, then the changed counts. Used by one thread. */
final class RecordWrite {
    private static final String BEFORE = "SELECT type, state, attempt FROM jono.job WHERE id = ? FOR UPDATE";
    private static final String ADD = "INSERT INTO jono.job (type, state, attempt, changed, until, tags, document, id)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING";
    private static final String REPLACE =
            "UPDATE jono.job SET type = ?, state = ?, attempt = ?, changed = ?, until = ?,"
                    + " tags = ?, document = ? WHERE id = ?";
    private static final List<String> REMOVE =
            List.of("DELETE FROM jono.job WHERE id = ?", "DELETE FROM jono.job_log WHERE id = ?");
    private static final String COUNT = "INSERT INTO jono.job_count AS c (type, state, number) VALUES (?, ?, ?)"
            + " ON CONFLICT (type, state) DO UPDATE SET number = c.number + EXCLUDED.number";
    private static final String TAG = "INSERT INTO jono.job_tag (type, tag, state, changed, id)"
            + " SELECT ?, tag, ?, ?, ? FROM unnest(?::text[]) AS tag";
    private static final String UNTAG = "DELETE FROM jono.job_tag WHERE id = ?";

    private final SqlTransaction tx;
    private final long now;
    private final LogTable log;
    /** How the numbers of records change, by type and state. */
    private final Map<String, Map<RecordState, Integer>> counts = new TreeMap<>();

    RecordWrite(SqlTransaction tx) throws SQLException {
        this.tx = tx;
        this.now = tx.nowMillis();
        this.log = new LogTable(tx);
    }

    /** The stored columns that a write needs. */
    private record Before(String type, RecordState state, int attempt) {}

    /** Writes a record. Most changes are the first one of their job, which one statement stores. */
    WriteOutcome write(RecordChange change) throws SQLException {
        if (change.reopens() || store(ADD, change) == 0) {
            Before before = find(change.id());
            if (before == null) {
                return WriteOutcome.ENDED; // there is nothing to reopen
            }
            WriteOutcome refusal = refusal(before, change);
            if (refusal != null) {
                return refusal;
            }
            update(UNTAG, change.id());
            store(REPLACE, change);
            count(before.type, before.state, -1);
        }
        count(change.type(), change.state(), 1);
        if (!change.tags().isEmpty()) {
            tag(change);
        }
        if (!change.logLines().isEmpty()) {
            log.add(change.id(), change.logLines());
        }
        return WriteOutcome.STORED;
    }

    /** Finds a record, and locks it until the transaction ends. */
    private @Nullable Before find(String id) throws SQLException {
        try (PreparedStatement select = tx.prepareAnew(BEFORE)) {
            select.setString(1, id);
            try (ResultSet row = select.executeQuery()) {
                return row.next()
                        ? new Before(row.getString(1), RecordTable.state(row.getInt(2)), row.getInt(3))
                        : null;
            }
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

    private int store(String sql, RecordChange change) throws SQLException {
        try (PreparedStatement store = tx.prepareAnew(sql)) {
            store.setString(1, change.type());
            store.setInt(2, RecordTable.number(change.state()));
            store.setInt(3, change.attempt());
            store.setLong(4, now);
            Long keep = change.keepMillis();
            if (keep == null) {
                store.setNull(5, Types.BIGINT);
            } else {
                store.setLong(5, now + keep);
            }
            store.setArray(6, tx.texts(change.tags()));
            store.setString(7, change.document());
            store.setString(8, change.id());
            return store.executeUpdate();
        }
    }

    private void tag(RecordChange change) throws SQLException {
        try (PreparedStatement tag = tx.prepare(TAG)) {
            tag.setString(1, change.type());
            tag.setInt(2, RecordTable.number(change.state()));
            tag.setLong(3, now);
            tag.setString(4, change.id());
            tag.setArray(5, tx.texts(change.tags()));
            tag.executeUpdate();
        }
    }

    private void update(String sql, String id) throws SQLException {
        try (PreparedStatement statement = tx.prepareAnew(sql)) {
            statement.setString(1, id);
            statement.executeUpdate();
        }
    }

    private void count(String type, RecordState state, int by) {
        counts.computeIfAbsent(type, key -> new EnumMap<>(RecordState.class)).merge(state, by, Integer::sum);
    }

    /** Stores the counts, always in the same order. Called once, after all records, because others wait for these rows. */
    void storeCounts() throws SQLException {
        for (Map.Entry<String, Map<RecordState, Integer>> type : counts.entrySet()) {
            for (Map.Entry<RecordState, Integer> state : type.getValue().entrySet()) {
                try (PreparedStatement count = tx.prepare(COUNT)) {
                    count.setString(1, type.getKey());
                    count.setInt(2, RecordTable.number(state.getKey()));
                    count.setInt(3, state.getValue());
                    count.executeUpdate();
                }
            }
        }
    }

    boolean remove(String id) throws SQLException {
        Before before = find(id);
        if (before == null) {
            return false;
        }
        update(UNTAG, id);
        for (String sql : REMOVE) {
            update(sql, id);
        }
        count(before.type, before.state, -1);
        return true;
    }
}
