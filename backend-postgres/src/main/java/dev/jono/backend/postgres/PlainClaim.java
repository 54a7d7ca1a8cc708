package dev.jono.backend.postgres;

import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.support.postgres.RepeatableTransactions;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A claim that is one statement, and so one round trip. The claim's number follows from the token of the call, so a repetition after a
 * lost answer finds its messages. Used by one thread, for one call.
 */
final class PlainClaim implements RepeatableTransactions.OneStatement<ClaimResult> {
    private final QueueView view;
    private final ClaimRequest request;
    private final boolean possible;

    private PlainClaim(QueueView view, ClaimRequest request, boolean possible) {
        this.view = view;
        this.request = request;
        this.possible = possible;
    }

    /** A claim on a queue without ordering keys. */
    static PlainClaim any(QueueView view, ClaimRequest request) {
        return new PlainClaim(view, request, true);
    }

    /**
     * A claim on a queue of which one message of a key is held at a time. It does nothing if there are no free messages.
     *
     * @param lookFurther whether to look for ended leases and postponed promotions too. It cannot, so it does nothing then
     */
    static PlainClaim free(QueueView view, ClaimRequest request, boolean lookFurther) {
        return new PlainClaim(view, request, !lookFurther);
    }

    @Override
    public @Nullable ClaimResult run(SqlTransaction tx, @Nullable String token) throws SQLException {
        if (!possible) {
            return null;
        }
        HandOuts handOuts = new HandOuts(tx, view);
        return view.maxPerKey() == 0 ? handOuts.claim(request, token) : handOuts.claimFree(request, token);
    }

    @Override
    public ClaimResult recover(SqlTransaction tx) throws SQLException {
        return new HandOuts(tx, view).claimed(request);
    }
}
