package dev.jono;

/** The outcome of a retry. */
public enum RetryOutcome {
    /** The message went back to its queue. */
    RETRIED,
    /** It was the last delivery of the message: the message was moved to the dead-letter queue. */
    DEAD_LETTERED
}
