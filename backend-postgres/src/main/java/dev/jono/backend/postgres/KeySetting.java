package dev.jono.backend.postgres;

import dev.jono.JonoException;
import dev.jono.StorageException;
import dev.jono.spi.KeySettings;
import dev.jono.support.postgres.PostgresLink;
import dev.jono.support.postgres.SqlTransaction;
import java.sql.SQLException;
import java.util.function.Supplier;

/**
 * Makes sure that all processes use a queue with the same setting of ordering keys. A queue without messages becomes keyed
 * when a keyed store is used first, in a transaction of its own. Thread-safe.
 */
final class KeySetting {
    private static final int MAX_ATTEMPTS = 5;

    private final PostgresLink link;
    private final QueueView view;
    /** Whether this store has seen the queue with its setting. */
    private volatile boolean known;

    KeySetting(PostgresLink link, QueueView view) {
        this.link = link;
        this.view = view;
    }

    /** The queue was deleted, and has lost its setting. Nothing was changed. */
    static final class LostException extends JonoException {
        private static final long serialVersionUID = 1L;

        LostException(String queue) {
            super("queue '" + queue + "' has lost its setting of ordering keys", queue, null, null);
        }
    }

    /** Runs a call that changes something, after the queue has its setting. */
    <R> R with(Supplier<R> call) {
        if (view.maxPerKey() == 0) {
            return call.get();
        }
        for (int attempt = 1; ; attempt++) {
            prepare();
            try {
                return call.get();
            } catch (LostException deleted) {
                if (attempt == MAX_ATTEMPTS) {
                    throw KeySettings.differ(view.queue(), view.maxPerKey(), 0);
                }
                known = false;
            }
        }
    }

    /**
     * Makes sure that the queue exists and has its setting. Outside of a transaction of the application, which would hold up all
     * others with a new queue until its end; and without the lock if nothing has to change, because the lock waits for the
     * ends of such transactions.
     */
    void prepare() {
        if (known) {
            return;
        }
        Queues.Found found = look();
        if (!found.exists() || (view.maxPerKey() > 0 && found.maxPerKey() != view.maxPerKey())) {
            establish();
        }
        known = true;
    }

    /** The exception for a transaction of the application, whose lock keeps {@link #with} from running the call again. */
    StorageException lost(LostException deleted) {
        known = false;
        return new StorageException(
                "push on queue '" + view.queue()
                        + "' in a transaction failed, because the queue was deleted meanwhile: roll"
                        + " back, and try again",
                view.queue(),
                null,
                deleted);
    }

    private Queues.Found look() {
        return link.single("opening", view.queue(), false, tx -> Queues.find(tx, view.queue()));
    }

    /** Makes a queue without messages keyed, if the store was opened as keyed. For the lock see {@link #prepare}. */
    void makeKeyed() {
        if (view.maxPerKey() > 0 && !known && !look().keyed()) {
            link.transaction("opening as keyed", view.queue(), this::setIfEmpty);
        }
    }

    private void establish() {
        link.transaction("opening as keyed", view.queue(), tx -> {
            Queues.Found found = setIfEmpty(tx);
            if (view.maxPerKey() > 0) {
                requireSame(found);
            }
            return true;
        });
    }

    /** Creates the queue if it does not exist, and gives it its setting if it holds no messages. */
    private Queues.Found setIfEmpty(SqlTransaction tx) throws SQLException {
        Queues.lockAlone(tx, view);
        Queues.Found found = Queues.find(tx, view.queue());
        if (!found.exists()) {
            Queues.add(tx, view.queue());
            found = Queues.find(tx, view.queue());
        }
        if (view.maxPerKey() > 0 && !found.keyed() && Deletions.count(tx, found.id()) == 0) {
            Queues.setKeyed(tx, found.id(), view.maxPerKey());
            return Queues.find(tx, view.queue());
        }
        return found;
    }

    private void requireSame(Queues.Found found) {
        if (found.maxPerKey() != view.maxPerKey()) {
            throw KeySettings.differ(view.queue(), view.maxPerKey(), found.maxPerKey());
        }
    }

    /**
     * Checks a queue within a transaction.
     *
     * @throws LostException if a keyed queue was deleted
     * @throws dev.jono.StorageException if the queue is used with another setting
     */
    void check(Queues.Found found) {
        if (view.maxPerKey() > 0) {
            if (!found.keyed()) {
                throw new LostException(view.queue());
            }
            requireSame(found);
        }
    }

    /** Finds the queue of a call that adds no messages to it. */
    Queues.Found find(SqlTransaction tx) throws SQLException {
        Queues.Found found = Queues.findByIndex(tx, view.queue());
        check(found);
        return found;
    }

    /** Finds the queue of a call that adds messages to it. */
    Queues.Found findToAdd(SqlTransaction tx) throws SQLException {
        Queues.Found found = Queues.findToAdd(tx, view, view.queue());
        check(found);
        return found;
    }
}
