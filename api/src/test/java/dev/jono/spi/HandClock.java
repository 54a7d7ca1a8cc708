package dev.jono.spi;

import dev.jono.JonoClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that stands still until a test moves it. */
public final class HandClock implements JonoClock {
    private final AtomicLong wallMillis =
            new AtomicLong(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());
    /** Wraps soon, as a monotonic clock may. */
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000_000_000);

    /** Time passes. */
    public void advance(Duration time) {
        setWall(time);
        nanos.addAndGet(time.toNanos());
    }

    /** Somebody sets the host's clock, forward or back. */
    public void setWall(Duration by) {
        wallMillis.addAndGet(by.toMillis());
    }

    @Override
    public long wallMillis() {
        return wallMillis.get();
    }

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        throw new AssertionError("what is tested with this clock reads time and never waits");
    }
}
