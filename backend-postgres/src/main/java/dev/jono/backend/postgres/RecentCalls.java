package dev.jono.backend.postgres;

import dev.jono.spi.ClaimResult;
import dev.jono.spi.EditResult;
import dev.jono.spi.InsertResult;
import dev.jono.spi.RemoveResult;
import dev.jono.spi.SettleResult;
import dev.jono.support.postgres.PostgresLink;
import dev.jono.support.postgres.RepeatableTransactions;
import java.util.function.LongSupplier;

/** The last calls of this process that changed something. All queues of a backend share it. Thread-safe. */
final class RecentCalls {
    private static final int MAX_ANSWERED = 64;
    /** Their results hold payloads. */
    private static final int MAX_ANSWERED_CLAIMS = 4;

    /** Inserts and restores. */
    final RepeatableTransactions<InsertResult> inserts;

    /** Takes and claims. */
    final RepeatableTransactions<ClaimResult> claims;

    /** Acks, releases and moves. */
    final RepeatableTransactions<SettleResult> settlements;

    /** Removals by id. */
    final RepeatableTransactions<RemoveResult> removals;

    /** Changes of messages that no consumer holds. */
    final RepeatableTransactions<EditResult> edits;

    RecentCalls(PostgresLink link, LongSupplier nanos) {
        this.inserts = new RepeatableTransactions<>(link, MAX_ANSWERED, nanos);
        this.claims = new RepeatableTransactions<>(link, MAX_ANSWERED_CLAIMS, nanos);
        this.settlements = new RepeatableTransactions<>(link, MAX_ANSWERED, nanos);
        this.removals = new RepeatableTransactions<>(link, MAX_ANSWERED, nanos);
        this.edits = new RepeatableTransactions<>(link, MAX_ANSWERED, nanos);
    }
}
