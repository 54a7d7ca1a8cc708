package dev.jono.support.postgres;

import dev.jono.spi.ClaimResult;
import dev.jono.spi.EditResult;
import dev.jono.spi.InsertResult;
import dev.jono.spi.RemoveResult;
import dev.jono.spi.SettleResult;
import java.util.function.LongSupplier;

/** The last calls of this process that changed something. All queues of a backend share it. Thread-safe. */
public final class RecentCalls {
    private static final int MAX_ANSWERED = 64;
    /** Their results hold payloads. */
    private static final int MAX_ANSWERED_CLAIMS = 4;

    /** Inserts and restores. */
    public final RepeatableTransactions<InsertResult> inserts;

    /** Takes and claims. */
    public final RepeatableTransactions<ClaimResult> claims;

    /** Acks, releases and moves. */
    public final RepeatableTransactions<SettleResult> settlements;

    /** Removals by id. */
    public final RepeatableTransactions<RemoveResult> removals;

    /** Changes of messages that no consumer holds. */
    public final RepeatableTransactions<EditResult> edits;

    /**
     * Without calls.
     *
     * @param nanos the nanoseconds of a clock that does not go back
     */
    public RecentCalls(PostgresLink link, LongSupplier nanos) {
        this.inserts = new RepeatableTransactions<>(link, MAX_ANSWERED, nanos);
        this.claims = new RepeatableTransactions<>(link, MAX_ANSWERED_CLAIMS, nanos);
        this.settlements = new RepeatableTransactions<>(link, MAX_ANSWERED, nanos);
        this.removals = new RepeatableTransactions<>(link, MAX_ANSWERED, nanos);
        this.edits = new RepeatableTransactions<>(link, MAX_ANSWERED, nanos);
    }
}
