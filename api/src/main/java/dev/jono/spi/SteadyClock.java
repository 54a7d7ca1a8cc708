package dev.jono.spi;

import dev.jono.JonoClock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Storage time for a storage whose clock is the host's: the wall clock, except that it never goes back. Set forward,
 * it follows; set back, it goes on at the monotonic pace from where it was. Thread-safe, without locks: a reading that
 * begins after another has ended is never less than that one.
 */
public final class SteadyClock {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final JonoClock clock;
    private final long startWallMillis;
    private final long startNanos;

    /** How far the wall clock was ahead of start plus elapsed time, at most. Only grows. */
    private final AtomicLong leadNanos = new AtomicLong();

    /** Starts at the wall time of this clock. */
    public SteadyClock(JonoClock clock) {
        this.clock = clock;
        this.startWallMillis = clock.wallMillis();
        this.startNanos = clock.nanos();
    }

    /** The storage's present, milliseconds since the epoch. */
    public long millis() {
        // Wall first: a thread that stalls between the two readings then sees too small a lead, which does no harm.
        long wallMillis = clock.wallMillis();
        long elapsedNanos = clock.nanos() - startNanos;
        long seenNanos = (wallMillis - startWallMillis) * NANOS_PER_MILLI - elapsedNanos;
        long lead = leadNanos.get();
        if (seenNanos > lead) {
            lead = leadNanos.accumulateAndGet(seenNanos, Math::max);
        }
        return startWallMillis + Math.floorDiv(lead + elapsedNanos, NANOS_PER_MILLI);
    }
}
