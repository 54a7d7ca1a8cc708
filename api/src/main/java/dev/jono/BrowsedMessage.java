package dev.jono;

/**
 * A message that was looked at and not taken.
 *
 * @param <T> the payload's type
 */
public interface BrowsedMessage<T> extends Message<T> {
    /** Where it stood in its life when the storage looked. */
    State state();

    /** Where a further {@link MessageQueue#browse} may go on. */
    String cursor();

    /** Where a message stands in its life. */
    enum State {
        /** May be handed out. */
        READY,
        /** Waits for its due time. */
        SCHEDULED,
        /** Somebody holds it. */
        RESERVED,
        /** Consumed, and kept as history. */
        PROCESSED
    }
}
