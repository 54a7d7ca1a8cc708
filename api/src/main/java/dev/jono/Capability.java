package dev.jono;

/** What a backend can do. An operation that needs a capability which is not there is an {@link UnsupportedCapabilityException}. */
public enum Capability {
    /** Messages may be due later. */
    SCHEDULE,
    /** Messages can be reserved under a lease, and settled. */
    RESERVE,
    /** Reserved messages can be moved into another queue. */
    MOVE,
    /** A move is one atomic step, for queues of the same storage (a backend may except some pairs). */
    ATOMIC_MOVE,
    /** Messages can be removed by id. */
    REMOVE,
    /** A queue that is over can be deleted, with all that the storage keeps of it. */
    DELETE,
    /** Messages can be looked at without taking them. */
    BROWSE,
    /** Consumed messages can be kept for a time, counted and listed. */
    HISTORY,
    /** Processes share the queues. */
    SHARED,
    /** What is acknowledged survives the death of the process. */
    DURABLE
}
