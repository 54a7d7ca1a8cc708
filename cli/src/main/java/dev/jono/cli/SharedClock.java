package dev.jono.cli;

import dev.jono.JonoClock;

/**
 * Microseconds that the processes of one host can compare. Where the monotonic clock has one origin for all of them, as
 * on Linux, it is used; else the wall clock, which has milliseconds only. Thread-safe.
 */
final class SharedClock {
    /** Two clocks that agree on the time since the origin but for this much have the same origin. */
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

    /** A clock that starts now. */
    static SharedClock start() {
        JonoClock clock = JonoClock.system();
        return new SharedClock(clock.nanos(), clock.wallMillis());
    }

    /** The clock that another process started. */
    static SharedClock join(String origin) {
        String[] parts = origin.split(":", -1);
        return new SharedClock(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
    }

    /** What another process needs to join. */
    String origin() {
        return originNanos + ":" + originWallMillis;
    }

    /** Microseconds since the start. */
    long micros() {
        JonoClock clock = JonoClock.system();
        return monotonic ? (clock.nanos() - originNanos) / 1_000 : (clock.wallMillis() - originWallMillis) * 1_000;
    }
}
