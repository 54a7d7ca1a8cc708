package dev.jono;

/** What a retry came to. */
public enum RetryOutcome {
    /** The message went back to its queue. */
    RETRIED,
    /** That was its last delivery: it went to the dead-letter queue. */
    DEAD_LETTERED
}
