package dev.jono.spi;

/** What is counted per queue. */
public enum Counter {
    /** Messages stored by push, or moved in. */
    PUSHED,
    /** Messages handed out by pop. */
    POPPED,
    /** Messages handed out under a reservation. */
    RESERVED,
    /** Reservations that ended with an ack, or with a move by a pipeline. */
    ACKED,
    /** Reservations given back and counted. */
    RETRIED,
    /** Reservations given back uncounted. */
    RELEASED,
    /** Messages moved to the dead-letter queue. */
    DEAD_LETTERED
}
