package dev.jono.backend.sqlite;

import dev.jono.JonoClock;

/** A clock whose wall time is never before a given time. */
final class FlooredClock implements JonoClock {
    private final JonoClock clock;
    private final long floorMillis;

    FlooredClock(JonoClock clock, long floorMillis) {
        this.clock = clock;
        this.floorMillis = floorMillis;
    }

    @Override
    public long wallMillis() {
        return Math.max(clock.wallMillis(), floorMillis);
    }

    @Override
    public long nanos() {
        return clock.nanos();
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        return clock.schedule(delayNanos, task);
    }
}
