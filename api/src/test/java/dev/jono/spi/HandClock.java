package dev.jono.spi;

import dev.jono.JonoClock;
import java.time.Duration;
import java.time.Instant;

/** A clock that stands still until a test moves it. */
public final class HandClock implements JonoClock {
    private volatile long wallMillis = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    private volatile long nanos = Long.MAX_VALUE - 1_000_000_000; // wraps soon, as a monotonic clock may

    /** Time passes. */
    public void advance(Duration time) {
        setWall(time);
        nanos += time.toNanos();
    }

    /** Somebody sets the host's clock, forward or back. */
    public void setWall(Duration by) {
        wallMillis += by.toMillis();
    }

    @Override
    public long wallMillis() {
        return wallMillis;
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        throw new UnsupportedOperationException("nothing here waits");
    }
}
