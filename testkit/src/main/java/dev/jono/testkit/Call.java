package dev.jono.testkit;

/** The methods of a {@link dev.jono.spi.QueueStore}. */
public enum Call {
    /** Stores messages. */
    INSERT,
    /** Removes and returns. */
    TAKE,
    /** Puts back what was taken. */
    RESTORE,
    /** Leases. */
    CLAIM,
    /** Ends reservations. */
    ACK,
    /** Gives back. */
    RELEASE,
    /** Lengthens leases. */
    EXTEND,
    /** Moves. */
    MOVE,
    /** Removes by id. */
    REMOVE,
    /** Looks. */
    BROWSE,
    /** Counts. */
    COUNTS,
    /** Empties. */
    PURGE,
    /** Deletes the queue. */
    DELETE
}
