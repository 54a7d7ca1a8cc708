package dev.jono.backend.sqlite;

import dev.jono.spi.KeySettings;
import java.sql.SQLException;

/** Makes sure that all processes use a queue with the same setting of ordering keys. */
final class KeySetting {
    private KeySetting() {}

    /**
     * Called before each change through a queue object that was opened as keyed. A queue without messages becomes keyed.
     *
     * @throws dev.jono.StorageException if the queue is used with another setting
     */
    static void require(Transaction tx, QueueView view) throws SQLException {
        if (view.maxPerKey() > 0) {
            makeKeyed(tx, view);
            requireSame(tx, view);
        }
    }

    /** Makes a queue without messages keyed, if the queue object was opened as keyed. */
    static void makeKeyed(Transaction tx, QueueView view) throws SQLException {
        QueueIds.Found queue = tx.findQueue(view.queue());
        if (view.maxPerKey() > 0 && !queue.keyed() && !Deletions.hasMessages(tx.connection(), queue.id())) {
            QueueIds.setKeyed(tx.connection(), tx.queueId(view.queue()), view.maxPerKey());
            tx.forgetQueue(view.queue());
        }
    }

    /** Called before each call that hands out messages: it must know of the keys. */
    static void requireSame(Transaction tx, QueueView view) throws SQLException {
        int stored = tx.findQueue(view.queue()).maxPerKey();
        if (stored != view.maxPerKey()) {
            throw KeySettings.differ(view.queue(), view.maxPerKey(), stored);
        }
    }
}
