package dev.jono.backend.sqlite;

import dev.jono.JonoException;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Work for the writer, and the future of its result. Any thread submits a command; only the writer runs it. */
final class Command<R> {
    /** Work in a transaction that commands share. It may run more than once; only the last run takes effect. */
    interface Work<R> {
        R run(Transaction tx) throws SQLException;
    }

    /** Work without a result. */
    interface Action {
        void run(Transaction tx) throws SQLException;
    }

    /** A shortcut of a command does not apply. The writer rolls back, and runs the command again without shortcuts. */
    static final class ShortcutFailedException extends JonoException {
        private static final long serialVersionUID = 1L;

        ShortcutFailedException() {
            super("a shortcut does not apply; the command runs again without it", null, null, null);
        }
    }

    final CompletableFuture<R> future = new CompletableFuture<>();
    private final Work<R> work;

    /** The approximate number of messages that it changes. */
    final int weight;

    /**
     * A neighbour in the list of {@link CommandInbox}: the command before this one, or after {@code drain} the next.
     */
    @Nullable Command<?> link;

    /** Whether the command runs in a transaction of its own, because it failed in a shared one. */
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

    /** Completes the future with the result; called after the commit. */
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
