package dev.jono;

/** The outcome of a removal by id. */
public enum RemoveOutcome {
    /** The message was removed. */
    REMOVED,
    /** A consumer holds the message; it was not removed. */
    HELD,
    /** The queue has no message with this id. */
    ABSENT
}
