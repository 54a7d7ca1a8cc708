package dev.jono;

/** What a removal by id came to. */
public enum RemoveOutcome {
    /** It was there and is removed. */
    REMOVED,
    /** Somebody holds it; it was left alone. */
    HELD,
    /** There is no such message. */
    ABSENT
}
