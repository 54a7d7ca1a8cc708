package dev.jono;

/** The outcome of a change to a waiting message. */
public enum EditOutcome {
    /** The message was changed. */
    DONE,
    /** A consumer holds the message; it was not changed. */
    HELD,
    /** The queue has no message with this id. */
    ABSENT
}
