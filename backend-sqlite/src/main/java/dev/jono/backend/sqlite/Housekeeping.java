package dev.jono.backend.sqlite;

import dev.jono.JonoClock;
import dev.jono.spi.SteadyClock;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * What the writer does beside its commands: it notes the time in the file now and then, together with other writes,
 * and throws away old history, and counters that have expired, when it has nothing else to do, or has put it off for long. No
 * timer: a file that nobody writes to stays as it is.
 */
final class Housekeeping {
    private static final long CLOCK_INTERVAL_MILLIS = 1000;
    private static final int PURGE_ROWS = 1000;
    private static final long PURGE_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** How long a writer that is never idle puts it off. */
    private static final long MAX_DELAY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final String UPDATE_CLOCK = "UPDATE meta SET value=max(value, ?) WHERE key='clock'";

    private final JonoClock clock;
    private final SteadyClock storageClock;
    /** The latest storage time that is known; what starts now must not start before it. */
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

    /** A storage clock that starts no earlier than what is in the file. */
    SteadyClock storageClock(JonoClock wall) {
        return new SteadyClock(new FlooredClock(wall, latestMillis.get()));
    }

    /** From now on counters expire; the table for that is made. */
    void expireStats() {
        expiresStats = true;
    }

    /** Adds its own to a transaction that is about to be committed. */
    void beforeCommit(Transaction tx) throws SQLException {
        if (!tx.begun()) {
            return;
        }
        wroteSincePurge = true;
        long latest = latestMillis.accumulateAndGet(tx.latestMillis(), Math::max);
        if (latest - writtenMillis >= CLOCK_INTERVAL_MILLIS) {
            PreparedStatement mark = tx.connection().prepare(UPDATE_CLOCK);
            mark.setLong(1, latest);
            mark.executeUpdate();
            writtenMillis = latest;
        }
    }

    /** Does a piece of work, if there is some and it is time. */
    boolean runIfDue(boolean idle, Consumer<Command.Action> writer) {
        // Read before the purge: who moves the clock while it runs is not to be taken for purged.
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
