package dev.jono.internal;

import java.util.concurrent.TimeUnit;

/**
 * How long to wait before a call whose reply was lost is repeated: not at all at first, for the connection that lost it is
 * gone and the next one is new; then longer each time. Used by one thread at a time.
 */
final class RepeatPause {
    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private long nanos;

    /** The pause that comes next. */
    long nanos() {
        return nanos;
    }

    /** The pause that comes next; the one behind it is longer. */
    long take() {
        long pause = nanos;
        nanos = Math.min(LONGEST_NANOS, Math.max(FIRST_NANOS, pause * 2));
        return pause;
    }
}
