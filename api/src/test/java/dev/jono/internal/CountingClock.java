package dev.jono.internal;

import dev.jono.JonoClock;
import java.util.concurrent.atomic.AtomicInteger;

/** A settable clock that counts the timers which are set and cancelled. */
final class CountingClock implements JonoClock {
    final Fakes.Clock settable = new Fakes.Clock();
    final AtomicInteger timers = new AtomicInteger();
    final AtomicInteger cancelled = new AtomicInteger();
    final AtomicInteger readings = new AtomicInteger();
    volatile boolean runs;
    volatile boolean broken;

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
