package dev.jono.testkit;

import java.util.Locale;

/** A step that a {@link BusyClient} runs: push, pop, or one that changes a reservation. */
public enum Step {
    /** Push. */
    PUSH,
    /** Pop. */
    POP,
    /** Ack of a reservation. */
    ACK,
    /** Retry of a reservation. */
    RETRY,
    /** Release of a reservation. */
    RELEASE,
    /** Extension of a reservation. */
    EXTEND,
    /** Reject of a reservation. */
    REJECT,
    /** Move of a reservation. */
    MOVE;

    /** The queue on which the step runs. */
    String queue() {
        return "to-" + name().toLowerCase(Locale.ROOT);
    }

    /** The queue to which the step moves messages, if it does. */
    String target() {
        return this == REJECT ? "dead" : "moved";
    }
}
