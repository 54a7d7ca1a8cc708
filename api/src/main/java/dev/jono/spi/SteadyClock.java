package dev.jono.spi;

import dev.jono.JonoClock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The clock of a storage that uses the clock of the host: wall-clock time that never goes back. When the host's clock is
 * set forward, this clock follows it. When it is set back, this clock continues at the pace of the monotonic clock.
 * Thread-safe, without locks: a reading that begins after another has ended is never less than that one.
 */
public final class SteadyClock {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final JonoClock clock;
    private final long startWallMillis;
    private final long startNanos;

    /** The largest lead of the wall clock over the start time plus the elapsed time. It only grows. */
    private final AtomicLong leadNanos = new AtomicLong();

    /** Starts at the wall-clock time of this clock. */
    public SteadyClock(JonoClock clock) {
        this.clock = clock;
        this.startWallMillis = clock.wallMillis();
        this.startNanos = clock.nanos();
    }

    /** Returns the present time of the storage, in milliseconds since the epoch. */
    public long millis() {
        // The wall clock is read first. A thread that stalls between the two readings then sees too small a lead, which
        // does no harm.
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
