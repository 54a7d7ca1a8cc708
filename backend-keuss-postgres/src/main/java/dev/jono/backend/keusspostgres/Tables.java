package dev.jono.backend.keusspostgres;

import dev.jono.StorageException;
import dev.jono.support.postgres.AdvisoryLocks;
import dev.jono.support.postgres.PostgresLink;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The tables of queues. keuss or Jono creates a table at the first use of its queue. Jono adds a column and an index before its
 * first reservation. This process remembers what it has seen; {@link #forget} is called if a statement finds it different.
 * Thread-safe.
 */
final class Tables {
    private static final String UNDEFINED_TABLE = "42P01";
    private static final String UNDEFINED_COLUMN = "42703";
    private static final String MISSING_RIGHTS = "42501";

    /** Another client has created the same table, or a part of it. */
    private static final Set<String> CREATED_MEANWHILE = Set.of("23505", "42P07");

    private static final String FIND = "SELECT c.relname, EXISTS (SELECT 1 FROM pg_catalog.pg_attribute a"
            + " WHERE a.attrelid = c.oid AND a.attname = '" + QueueTable.DUE_COLUMN + "' AND NOT a.attisdropped)"
            + " AND EXISTS (SELECT 1 FROM pg_catalog.pg_index x JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid"
            + " WHERE x.indrelid = c.oid AND i.relname LIKE 'jono\\_held\\_%')"
            + " FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
            + " WHERE n.nspname = ? AND c.relname = ANY (?::text[]) AND c.relkind IN ('r', 'p')";

    private static final String NAMES = "SELECT c.relname, obj_description(c.oid, 'pg_class')"
            + " FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
            + " WHERE n.nspname = ? AND c.relname LIKE '\\_k\\_tbl\\_%' AND c.relkind IN ('r', 'p')"
            + " AND has_table_privilege(c.oid, 'SELECT')";

    private static final String LOCK = "SELECT pg_advisory_xact_lock(?)";

    /** The columns, defaults and order are those of keuss, whose inserts name no columns. */
    private static final String CREATE = "CREATE TABLE IF NOT EXISTS $table (_id varchar(64) PRIMARY KEY, _pl jsonb,"
            + " mature timestamptz DEFAULT CURRENT_TIMESTAMP NOT NULL, tries integer DEFAULT 0 NOT NULL,"
            + " reserved timestamptz, " + QueueTable.DUE_COLUMN + " timestamptz)"
            + " WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,"
            + " autovacuum_vacuum_cost_delay = 0)";

    private static final String CREATE_INDEX = "CREATE INDEX IF NOT EXISTS $index ON $table (mature)";
    private static final String CREATE_HELD_INDEX =
            "CREATE INDEX IF NOT EXISTS $held ON $table (mature) WHERE reserved IS NOT NULL";
    private static final String COMMENT = "COMMENT ON TABLE $table IS '" + TableNames.COMMENT + "$queue'";

    /** Other statements on the table wait while this one waits for a long transaction. */
    private static final String LIMIT_WAIT = "SET LOCAL lock_timeout = '5s'";

    private static final String ADD_COLUMN =
            "ALTER TABLE $table ADD COLUMN IF NOT EXISTS " + QueueTable.DUE_COLUMN + " timestamptz";

    private final PostgresLink link;
    private final String schema;
    private final Map<String, QueueTable> known = new ConcurrentHashMap<>();

    /** @param schema the schema of the tables */
    Tables(PostgresLink link, String schema) {
        this.link = link;
        this.schema = schema;
    }

    /** Whether a call failed because a table is not what {@link #find} has seen. */
    static boolean haveChanged(StorageException failure) {
        String state = state(failure);
        return state.equals(UNDEFINED_TABLE) || state.equals(UNDEFINED_COLUMN);
    }

    private static String state(StorageException failure) {
        return failure.getCause() instanceof SQLException cause ? String.valueOf(cause.getSQLState()) : "";
    }

    void forget(Collection<String> queues) {
        queues.forEach(known::remove);
    }

    /** The table of a queue; null if there is none. */
    @Nullable QueueTable find(String queue) {
        QueueTable seen = known.get(queue);
        if (seen == null) {
            seen = link.single("looking for the table", queue, false, tx -> findAll(tx, List.of(queue)))
                    .get(queue);
            if (seen != null) {
                known.put(queue, seen);
            }
        }
        return seen;
    }

    /** The tables of those queues that have one. */
    Map<String, QueueTable> findAll(SqlTransaction tx, Collection<String> queues) throws SQLException {
        Map<String, String> byTable = new HashMap<>();
        queues.forEach(queue -> byTable.put(TableNames.table(queue), queue));
        Map<String, QueueTable> found = new HashMap<>();
        try (PreparedStatement find = tx.prepare(FIND)) {
            find.setString(1, schema);
            find.setArray(2, tx.texts(byTable.keySet()));
            try (ResultSet rows = find.executeQuery()) {
                while (rows.next()) {
                    String queue = byTable.get(rows.getString(1));
                    if (queue != null) {
                        found.put(queue, new QueueTable(name(queue), rows.getBoolean(2)));
                    }
                }
            }
        }
        return found;
    }

    private String name(String queue) {
        return TableNames.quoted(schema) + '.' + TableNames.quoted(TableNames.table(queue));
    }

    /** The table of a queue, which is created if it is missing. */
    QueueTable findOrCreate(String queue) {
        QueueTable found = find(queue);
        if (found != null) {
            return found;
        }
        requireChanges(queue, "there is no table " + name(queue) + " for queue '" + queue + "'");
        try {
            link.transaction("creating the table", queue, tx -> create(tx, queue));
        } catch (StorageException failure) {
            QueueTable others = CREATED_MEANWHILE.contains(state(failure)) ? find(queue) : null;
            if (others == null) {
                throw failure;
            }
            return others;
        }
        QueueTable created = new QueueTable(name(queue), true);
        known.put(queue, created);
        return created;
    }

    private void requireChanges(String queue, String missing) {
        if (!link.options().create()) {
            throw new StorageException(
                    missing + ", and jono.create=false: let a role with more rights run '"
                            + new QueueTable(name(queue), false).apply(CREATE) + "' or '"
                            + new QueueTable(name(queue), false).apply(ADD_COLUMN) + "'",
                    queue,
                    null,
                    null);
        }
    }

    private boolean create(SqlTransaction tx, String queue) throws SQLException {
        try (PreparedStatement lock = tx.prepare(LOCK)) {
            lock.setLong(1, AdvisoryLocks.number(schema, "table " + queue));
            lock.execute();
        }
        execute(tx, CREATE, queue);
        execute(tx, CREATE_INDEX, queue);
        execute(tx, CREATE_HELD_INDEX, queue);
        if (queue.length() > TableNames.MAX_SHARED) {
            execute(tx, COMMENT, queue);
        }
        return true;
    }

    private void execute(SqlTransaction tx, String sql, String queue) throws SQLException {
        try (PreparedStatement statement = tx.prepare(sql, text -> named(text, queue))) {
            statement.execute();
        }
    }

    private String named(String sql, String queue) {
        return sql.replace("$index", TableNames.quoted(TableNames.index(queue)))
                .replace("$held", TableNames.quoted(TableNames.heldIndex(queue)))
                .replace("$table", name(queue))
                .replace("$queue", queue);
    }

    /** The table of a queue, with the column and the index that reservations need; null if there is no table. */
    @Nullable QueueTable findForReservations(String queue) {
        QueueTable found = find(queue);
        if (found != null && !found.prepared()) {
            known.remove(queue); // its owner may have prepared it meanwhile
            found = find(queue);
        }
        if (found == null || found.prepared()) {
            return found;
        }
        String lacks = "the table " + found.name() + " of keuss lacks the column " + QueueTable.DUE_COLUMN
                + " or the index that Jono's reservations need; its owner must run: " + named(ADD_COLUMN, queue) + "; "
                + named(CREATE_HELD_INDEX, queue);
        requireChanges(queue, lacks);
        try {
            link.transaction("preparing the table for reservations", queue, tx -> {
                execute(tx, LIMIT_WAIT, queue);
                execute(tx, ADD_COLUMN, queue);
                execute(tx, CREATE_HELD_INDEX, queue);
                return true;
            });
        } catch (StorageException failure) {
            if (state(failure).equals(MISSING_RIGHTS)) {
                throw new StorageException(lacks, queue, null, failure.getCause());
            }
            throw failure;
        }
        QueueTable changed = new QueueTable(found.name(), true);
        known.put(queue, changed);
        return changed;
    }

    /** The queues whose tables can be read, sorted. Those of keuss whose names Jono does not allow are left out. */
    List<String> names(SqlTransaction tx) throws SQLException {
        List<String> names = new ArrayList<>();
        try (PreparedStatement select = tx.prepare(NAMES)) {
            select.setString(1, schema);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    String name = TableNames.queue(rows.getString(1), rows.getString(2));
                    if (name != null) {
                        names.add(name);
                    }
                }
            }
        }
        Collections.sort(names);
        return names;
    }
}
