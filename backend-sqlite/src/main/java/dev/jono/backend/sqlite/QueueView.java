package dev.jono.backend.sqlite;

import dev.jono.spi.QueueSpec;
import dev.jono.spi.Signal;
import dev.jono.spi.SteadyClock;

/**
 * A queue as one factory uses it: its name and the settings that its calls need.
 *
 * @param queue the name of the queue
 * @param namespace the factory's namespace, for signals
 * @param channel the channel of the queue's signals, see {@link Announcements#channel}
 * @param maxPerKey most messages of one ordering key that are held at one time; 0 if the queue was opened without keys
 * @param historyMillis how long consumed messages are kept, in milliseconds; 0 keeps none
 * @param clock the storage clock
 */
record QueueView(String queue, String namespace, long channel, int maxPerKey, long historyMillis, SteadyClock clock) {
    static QueueView of(QueueSpec spec, String namespace, long historyMillis, SteadyClock clock) {
        String queue = spec.name();
        long channel = Announcements.channel(namespace, queue);
        return new QueueView(queue, namespace, channel, spec.maxPerKey(), historyMillis, clock);
    }

    /** Announces messages of this queue with their earliest due time. */
    void announce(Transaction tx, long dueMillis) {
        tx.announce(channel, Signal.inserted(queue, dueMillis));
    }

    /** Announces a message that was moved to another queue. */
    void announce(Transaction tx, String toQueue, long dueMillis) {
        tx.announce(Announcements.channel(namespace, toQueue), Signal.inserted(toQueue, dueMillis));
    }
}
