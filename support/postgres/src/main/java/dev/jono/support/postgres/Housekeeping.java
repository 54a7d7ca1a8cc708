package dev.jono.support.postgres;

import dev.jono.JonoClock;
import dev.jono.spi.OutageLog;
import dev.jono.spi.PluginConfig;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Deletes old tokens of calls, unique keys and history. It has no timer: calls start it, once in ten seconds at most, on a
 * thread of the factory. Of several processes, one does the work at a time. Thread-safe.
 */
public final class Housekeeping {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int ROWS_PER_TRANSACTION = 5000;

    private static final String TRY_LOCK = "SELECT pg_try_advisory_xact_lock(?), jono.millis()";
    private static final String CALLS = "DELETE FROM jono.call WHERE token = ANY (ARRAY (SELECT token FROM jono.call"
            + " WHERE at <= ? ORDER BY at LIMIT ?))";
    private static final String UNIQUE_KEYS = "DELETE FROM jono.unique_key WHERE ctid = ANY (ARRAY (SELECT ctid"
            + " FROM jono.unique_key WHERE until <= ? ORDER BY until LIMIT ? FOR UPDATE SKIP LOCKED))";
    private static final String HISTORY = "DELETE FROM jono.history WHERE id = ANY (ARRAY (SELECT id FROM jono.history"
            + " WHERE until <= ? ORDER BY until LIMIT ?))";

    private final PostgresLink link;
    private final JonoClock clock;
    private final Executor executor;
    private final OutageLog log;
    private final AtomicLong nextNanos;

    /** The housekeeping of the schema of a link. */
    public Housekeeping(PostgresLink link, PluginConfig config) {
        this.link = link;
        this.clock = config.clock();
        this.executor = config.executor();
        this.log = new OutageLog(clock);
        this.nextNanos = new AtomicLong(clock.nanos());
    }

    /** Starts the work, if it is due. Does not wait for it. */
    public void runIfDue() {
        long due = nextNanos.get();
        long now = clock.nanos();
        if (now - due >= 0 && nextNanos.compareAndSet(due, now + INTERVAL_NANOS)) {
            try {
                executor.execute(this::run);
            } catch (RuntimeException | Error noThread) {
                log.warn("dev.jono.postgres", noThread, "old rows are not deleted");
            }
        }
    }

    private void run() {
        try {
            boolean more = true;
            while (more) {
                more = link.transaction("deleting old rows", null, this::deleteSome);
            }
        } catch (RuntimeException failure) {
            log.warn("dev.jono.postgres", failure, "old rows were not deleted, and are tried again later");
        }
    }

    /** Returns whether there may be more. */
    private boolean deleteSome(SqlTransaction tx) throws SQLException {
        long now;
        try (PreparedStatement lock = tx.prepare(TRY_LOCK)) {
            lock.setLong(1, AdvisoryLocks.number(link.options().schema(), "housekeeping"));
            try (ResultSet row = lock.executeQuery()) {
                row.next();
                if (!row.getBoolean(1)) {
                    return false;
                }
                now = row.getLong(2);
            }
        }
        boolean more = delete(tx, CALLS, now - RepeatableTransactions.KEPT_MILLIS);
        more |= delete(tx, UNIQUE_KEYS, now);
        more |= delete(tx, HISTORY, now);
        return more;
    }

    private static boolean delete(SqlTransaction tx, String sql, long until) throws SQLException {
        try (PreparedStatement delete = tx.prepare(sql)) {
            delete.setLong(1, until);
            delete.setInt(2, ROWS_PER_TRANSACTION);
            return delete.executeUpdate() == ROWS_PER_TRANSACTION;
        }
    }
}
