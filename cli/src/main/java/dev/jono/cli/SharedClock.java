package dev.jono.cli;

import dev.jono.JonoClock;

/**
 * A clock in microseconds that several processes of one host share. Uses the monotonic clock if it has the same origin
 * in all processes, as on Linux, otherwise the wall clock, with a resolution of milliseconds. Thread-safe.
 */
final class SharedClock {
    /** Monotonic and wall clock must agree on the time since the start within this tolerance. */
    private static final long TOLERANCE_MILLIS = 2_000;

    private final long originNanos;
    private final long originWallMillis;
    private final boolean monotonic;

    private SharedClock(long originNanos, long originWallMillis) {
        this.originNanos = originNanos;
        this.originWallMillis = originWallMillis;
        JonoClock clock = JonoClock.system();
        long byNanos = (clock.nanos() - originNanos) / 1_000_000;
        long byWall = clock.wallMillis() - originWallMillis;
        this.monotonic = Math.abs(byNanos - byWall) < TOLERANCE_MILLIS;
    }

    /** Starts a clock. */
    static SharedClock start() {
        JonoClock clock = JonoClock.system();
        return new SharedClock(clock.nanos(), clock.wallMillis());
    }

    /** Joins the clock that another process started. */
    static SharedClock join(String origin) {
        String[] parts = origin.split(":", -1);
        return new SharedClock(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
    }

    /** The argument of {@link #join} in another process. */
    String origin() {
        return originNanos + ":" + originWallMillis;
    }

    /** Microseconds since the start. */
    long micros() {
        JonoClock clock = JonoClock.system();
        return monotonic ? (clock.nanos() - originNanos) / 1_000 : (clock.wallMillis() - originWallMillis) * 1_000;
    }
}
