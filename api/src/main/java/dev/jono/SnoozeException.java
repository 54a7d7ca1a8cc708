package dev.jono;

import java.time.Duration;

/** Thrown by a handler to give its message back for a time. The delivery is not counted. */
public final class SnoozeException extends JonoException {
    private static final long serialVersionUID = 1L;

    private final Duration delay;

    /**
     * Gives the message back after a delay. With a delay of zero it is due at once, and the worker may hold it back as after
     * {@link Lease#release()}.
     *
     * @throws IllegalArgumentException if the delay is negative or longer than ten years
     */
    public SnoozeException(Duration delay) {
        super("snoozed for " + Durations.format(Durations.check(delay, "delay")), null, null, null);
        this.delay = delay;
    }

    /** The delay before the message may be delivered again. */
    public Duration delay() {
        return delay;
    }
}
