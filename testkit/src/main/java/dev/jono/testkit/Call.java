package dev.jono.testkit;

/** The methods of a {@link dev.jono.spi.QueueStore}. */
public enum Call {
    /** Stores messages. */
    INSERT,
    /** Removes messages and returns them. */
    TAKE,
    /** Puts taken messages back. */
    RESTORE,
    /** Leases messages. */
    CLAIM,
    /** Ends reservations and removes their messages. */
    ACK,
    /** Gives messages back. */
    RELEASE,
    /** Renews leases. */
    EXTEND,
    /** Moves messages to another queue. */
    MOVE,
    /** Removes messages by id. */
    REMOVE,
    /** Gives messages another due time. */
    RESCHEDULE,
    /** Moves messages that no consumer holds to another queue. */
    MOVE_IDLE,
    /** Ends the window of a unique key. */
    FORGET,
    /** Lists messages without taking them. */
    BROWSE,
    /** Counts messages. */
    COUNTS,
    /** Removes all messages that no consumer holds. */
    PURGE,
    /** Deletes the queue. */
    DELETE
}
