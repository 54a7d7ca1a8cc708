package dev.jono;

/**
 * A message that was read without taking it.
 *
 * @param <T> the type of the payload
 */
public interface BrowsedMessage<T> extends Message<T> {
    /** The state of the message when the storage read it. */
    State state();

    /** The position after this message; {@link MessageQueue#browse} continues from there. */
    String cursor();

    /** The state of a message. */
    enum State {
        /** May be handed out. */
        READY,
        /** Waits for its due time. */
        SCHEDULED,
        /** Waits for an earlier message of its ordering key. */
        BLOCKED,
        /** Leased to a consumer. */
        RESERVED,
        /** Consumed, and kept in the history. */
        PROCESSED
    }
}
