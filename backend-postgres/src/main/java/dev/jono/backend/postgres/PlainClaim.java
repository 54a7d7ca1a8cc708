package dev.jono.backend.postgres;

import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.support.postgres.RepeatableTransactions;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A claim on a queue without ordering keys: one round trip. The claim's number follows from the token of the call, so a
 * repetition after a lost answer finds its messages. Used by one thread, for one call.
 */
final class PlainClaim implements RepeatableTransactions.OneStatement<ClaimResult> {
    private final QueueView view;
    private final ClaimRequest request;

    PlainClaim(QueueView view, ClaimRequest request) {
        this.view = view;
        this.request = request;
    }

    @Override
    public ClaimResult run(SqlTransaction tx, @Nullable String token) throws SQLException {
        return new HandOuts(tx, view).claim(request, token);
    }

    @Override
    public ClaimResult recover(SqlTransaction tx) throws SQLException {
        return new HandOuts(tx, view).claimed(request);
    }
}
