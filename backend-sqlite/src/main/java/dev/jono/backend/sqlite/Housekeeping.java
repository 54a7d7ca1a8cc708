package dev.jono.backend.sqlite;

import dev.jono.JonoClock;
import dev.jono.spi.SteadyClock;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Maintenance of a file. It stores the storage time about once a second, together with other writes. It deletes old
 * history, unique keys and expired counters when the writer is idle, or at the latest ten seconds after it could. It has no timer: a
 * file without writes is not changed.
 *
 * <p>The writer's thread calls {@link #beforeCommit} and {@link #runIfDue}; any thread calls the other methods.
 */
final class Housekeeping {
    private static final long CLOCK_INTERVAL_MILLIS = 1000;
    private static final int PURGE_ROWS = 1000;
    private static final long PURGE_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** How long a writer that is never idle postpones deletions. */
    private static final long MAX_DELAY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final JonoClock clock;
    private final SteadyClock storageClock;
    /** The latest known storage time. A new storage clock must not start before it. */
    private final AtomicLong latestMillis;

    /** Whether a user of the file lets counters expire. */
    private volatile boolean expiresStats;

    private long writtenMillis;
    private long nextPurgeNanos;
    private boolean wroteSincePurge = true;

    Housekeeping(JonoClock clock, long latestMillis) {
        this.clock = clock;
        this.latestMillis = new AtomicLong(latestMillis);
        this.storageClock = storageClock(clock);
        this.nextPurgeNanos = clock.nanos();
    }

    /** A storage clock that starts no earlier than the latest storage time in the file. */
    SteadyClock storageClock(JonoClock wall) {
        return new SteadyClock(new FlooredClock(wall, latestMillis.get()));
    }

    /** Deletes expired counters from now on. The table {@code stat_expiry} must exist. */
    void expireStats() {
        expiresStats = true;
    }

    /** Adds the storage time to a transaction that is about to be committed, if it is due. */
    void beforeCommit(Transaction tx) throws SQLException {
        if (!tx.begun()) {
            return;
        }
        wroteSincePurge = true;
        long latest = latestMillis.accumulateAndGet(tx.latestMillis(), Math::max);
        if (latest - writtenMillis >= CLOCK_INTERVAL_MILLIS) {
            PreparedStatement update = tx.connection().prepare(Sql.UPDATE_CLOCK);
            update.setLong(1, latest);
            update.executeUpdate();
            writtenMillis = latest;
        }
    }

    /** Deletes a limited number of expired rows, if that is due; returns whether it was. */
    boolean runIfDue(boolean idle, Consumer<Command.Action> writer) {
        // Read before the deletion: rows that expire while it runs must be found by the next one.
        long nowNanos = clock.nanos();
        if (!wroteSincePurge || nowNanos - nextPurgeNanos < (idle ? 0 : MAX_DELAY_NANOS)) {
            return false;
        }
        boolean[] more = new boolean[1];
        writer.accept(tx -> {
            PreparedStatement purge = tx.connection().prepare(Sql.PURGE_HISTORY);
            purge.setLong(1, storageClock.millis());
            purge.setInt(2, PURGE_ROWS);
            more[0] = purge.executeUpdate() == PURGE_ROWS;
            more[0] |= UniqueKeys.expire(tx.connection(), storageClock.millis(), PURGE_ROWS);
            if (expiresStats) {
                more[0] |= StatsExpiry.expire(tx, storageClock.millis());
            }
        });
        if (!more[0]) {
            nextPurgeNanos = nowNanos + PURGE_INTERVAL_NANOS;
            wroteSincePurge = false;
        }
        return true;
    }
}
