package dev.jono.backend.keusspostgres;

import dev.jono.RemoveOutcome;
import dev.jono.spi.DeleteResult;
import dev.jono.spi.RemoveResult;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Removes messages that no consumer holds, and deletes queues. Used by one thread, for one transaction. */
final class Removals {
    /** The most rows of one transaction, so that others need not wait for all of them. */
    static final int ROWS_PER_TRANSACTION = 2000;

    private static final String FREE = "(m.reserved IS NULL OR m.mature <= clock_timestamp())";

    private static final String REMOVE = SqlTransaction.BY_INDEX
            + "WITH found AS MATERIALIZED (SELECT m._id, " + FREE + " AS free"
            + " FROM $table m WHERE m._id = ANY (?::text[]) ORDER BY m._id FOR UPDATE),"
            + " done AS (DELETE FROM $table m WHERE m._id = ANY (ARRAY (SELECT _id FROM found WHERE free)))"
            + " SELECT f._id, f.free FROM found f";

    private static final String PURGE = "DELETE FROM $table WHERE _id = ANY (ARRAY (SELECT m._id FROM $table m WHERE "
            + FREE + " LIMIT " + ROWS_PER_TRANSACTION + " FOR UPDATE SKIP LOCKED))";

    private static final String COUNT = "SELECT count(*) FROM $table";
    private static final String LOCK = "LOCK TABLE $table IN ACCESS EXCLUSIVE MODE";
    private static final String DROP = "DROP TABLE $table";

    private final SqlTransaction tx;
    private final QueueTable table;

    Removals(SqlTransaction tx, QueueTable table) {
        this.tx = tx;
        this.table = table;
    }

    RemoveResult remove(List<String> ids) throws SQLException {
        Map<String, Boolean> removed = new HashMap<>();
        try (PreparedStatement remove = tx.prepare(REMOVE, table)) {
            remove.setArray(1, tx.texts(Ids.rows(ids)));
            try (ResultSet rows = SqlTransaction.resultAfter(1, remove)) {
                while (rows.next()) {
                    removed.put(rows.getString(1), rows.getBoolean(2));
                }
            }
        }
        List<RemoveOutcome> outcomes = new ArrayList<>(ids.size());
        for (String id : ids) {
            Boolean done = removed.containsKey(id) ? removed.get(id) : removed.get(Ids.row(id));
            RemoveOutcome present = Boolean.TRUE.equals(done) ? RemoveOutcome.REMOVED : RemoveOutcome.HELD;
            outcomes.add(done == null ? RemoveOutcome.ABSENT : present);
        }
        return RemoveResult.builder().outcomes(outcomes).build();
    }

    long purgeSome() throws SQLException {
        try (PreparedStatement purge = tx.prepare(PURGE, table)) {
            return purge.executeUpdate();
        }
    }

    long count() throws SQLException {
        try (PreparedStatement count = tx.prepare(COUNT, table);
                ResultSet row = count.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Drops the table. No other transaction can add a message meanwhile. */
    DeleteResult delete(boolean withMessages) throws SQLException {
        execute(LOCK);
        long present = count();
        if (present > 0 && !withMessages) {
            return DeleteResult.refused(present);
        }
        execute(DROP);
        return DeleteResult.deleted(present);
    }

    private void execute(String sql) throws SQLException {
        try (PreparedStatement statement = tx.prepare(sql, table)) {
            statement.execute();
        }
    }
}
