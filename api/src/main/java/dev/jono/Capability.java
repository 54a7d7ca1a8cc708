package dev.jono;

/**
 * Something that a backend can do. An operation whose capability is missing throws {@link
 * UnsupportedCapabilityException}.
 */
public enum Capability {
    /** Messages can have a later due time. */
    SCHEDULE,
    /** Messages can be reserved under a lease, and settled. */
    RESERVE,
    /** Reserved messages can be moved into another queue. */
    MOVE,
    /** A move between two queues of the storage is one atomic step. A backend may except some pairs of queues. */
    ATOMIC_MOVE,
    /** Messages can be removed by id. */
    REMOVE,
    /** Queues can be deleted, with everything that the storage keeps of them. */
    DELETE,
    /** Messages can be read without taking them. */
    BROWSE,
    /** Consumed messages can be kept for a time, counted and listed. */
    HISTORY,
    /** Messages that no consumer holds can be rescheduled, and moved into another queue. */
    EDIT,
    /** A push can name a key under which, for a time, only one message is stored. */
    DEDUPLICATE,
    /** Messages with an ordering key are handed out in the order of insertion, one at a time or as few as set. */
    KEYED,
    /** A push can be part of a transaction of the application on the same storage. */
    TRANSACTION,
    /** Several processes can share the queues. */
    SHARED,
    /** What the storage has confirmed, such as a push or an ack, survives the end of the process. */
    DURABLE
}
