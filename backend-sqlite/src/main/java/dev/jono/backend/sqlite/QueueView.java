package dev.jono.backend.sqlite;

import dev.jono.spi.Signal;
import dev.jono.spi.SteadyClock;

/**
 * A queue, as one factory sees it.
 *
 * @param queue its name
 * @param namespace of the factory, for signals
 * @param channel the number under which its signals travel
 * @param historyMillis how long consumed messages are kept; 0 keeps none
 * @param clock the storage's
 */
record QueueView(String queue, String namespace, long channel, long historyMillis, SteadyClock clock) {
    static QueueView of(String queue, String namespace, long historyMillis, SteadyClock clock) {
        return new QueueView(queue, namespace, Announcements.channel(namespace, queue), historyMillis, clock);
    }

    /** Announces messages of this queue that are due at a time. */
    void announce(Transaction tx, long dueMillis) {
        tx.announce(channel, Signal.inserted(queue, dueMillis));
    }

    /** Announces a message that went to another queue. */
    void announce(Transaction tx, String toQueue, long dueMillis) {
        tx.announce(Announcements.channel(namespace, toQueue), Signal.inserted(toQueue, dueMillis));
    }
}
