package dev.jono.backend.sqlite;

import dev.jono.JonoException;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Something for the writer to do, and the future of its result. */
final class Command<R> {
    /** What is done, in a transaction that others may share. May run more than once; only the last run is kept. */
    interface Work<R> {
        R run(Transaction tx) throws SQLException;
    }

    /** Work without a result. */
    interface Action {
        void run(Transaction tx) throws SQLException;
    }

    /** Thrown by work that took a short cut which does not fit: its transaction is undone, and it runs again. */
    static final class ShortcutFailedException extends JonoException {
        private static final long serialVersionUID = 1L;

        ShortcutFailedException() {
            super("to be run again without short cuts", null, null, null);
        }
    }

    final CompletableFuture<R> future = new CompletableFuture<>();
    private final Work<R> work;

    /** About how many messages it touches. */
    final int weight;

    /** The command that was submitted before this one; the writer turns it round. */
    @Nullable Command<?> link;

    /** Whether to run in a transaction of its own, because it failed in one that it shared. */
    boolean runsAlone;

    private boolean shortcutsForbidden;
    private @Nullable R result;

    Command(int weight, Work<R> work) {
        this.weight = weight;
        this.work = work;
    }

    static Work<Void> work(Action action) {
        return tx -> {
            action.run(tx);
            return nothing();
        };
    }

    @SuppressWarnings("NullAway") // the only value of Void is null
    private static Void nothing() {
        return null;
    }

    void run(Transaction tx) throws SQLException {
        tx.shortcutsForbidden(shortcutsForbidden);
        try {
            result = work.run(tx);
        } catch (ShortcutFailedException e) {
            shortcutsForbidden = true;
            throw e;
        }
    }

    /** The transaction is stored. */
    void succeed() {
        R value = result;
        result = null;
        complete(value);
    }

    @SuppressWarnings("NullAway") // R may be Void, whose only value is null
    private void complete(@Nullable R value) {
        future.complete(value);
    }

    void fail(Throwable failure) {
        future.completeExceptionally(failure);
    }
}
