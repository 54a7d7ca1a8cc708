package dev.jono;

import java.time.Duration;

/** Thrown by a handler: not now; the message goes back for a time, and this delivery does not count. */
public final class SnoozeException extends JonoException {
    private static final long serialVersionUID = 1L;

    private final Duration delay;

    /** Comes back after this delay. Without one it is as a {@link Lease#release()}. */
    public SnoozeException(Duration delay) {
        super("snoozed for " + Durations.format(Durations.check(delay, "delay")), null, null, null);
        this.delay = delay;
    }

    /** How long it stays away. */
    public Duration delay() {
        return delay;
    }
}
