package dev.jono.spi;

/** A counter of a queue. */
public enum Counter {
    /** Messages that were stored by push, or moved into the queue. */
    PUSHED,
    /** Messages that were handed out by pop. */
    POPPED,
    /** Messages that were handed out under a reservation. */
    RESERVED,
    /** Reservations that ended with an ack, or with a move by a pipeline. */
    ACKED,
    /** Reservations that were given back, and counted as a delivery. */
    RETRIED,
    /** Reservations that were given back, and not counted as a delivery. */
    RELEASED,
    /** Messages that were moved to the dead-letter queue. */
    DEAD_LETTERED
}
