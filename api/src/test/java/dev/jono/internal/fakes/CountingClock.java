package dev.jono.internal.fakes;

import dev.jono.JonoClock;
import java.util.concurrent.atomic.AtomicInteger;

/** A settable clock that counts the timers which are set and cancelled. */
public final class CountingClock implements JonoClock {
    public final Fakes.Clock settable = new Fakes.Clock();
    public final AtomicInteger timers = new AtomicInteger();
    public final AtomicInteger cancelled = new AtomicInteger();
    final AtomicInteger readings = new AtomicInteger();
    public volatile boolean runs;
    public volatile boolean broken;

    @Override
    public long wallMillis() {
        return settable.wallMillis();
    }

    @Override
    public long nanos() {
        return settable.nanos() + (runs ? readings.incrementAndGet() : 0);
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        if (broken && delayNanos == 7_000_000_000L) {
            throw new IllegalStateException("a clock that sets no timers");
        }
        timers.incrementAndGet();
        Timer timer = settable.schedule(delayNanos, task);
        return () -> {
            cancelled.incrementAndGet();
            timer.cancel();
        };
    }
}
