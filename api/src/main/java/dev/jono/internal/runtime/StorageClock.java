package dev.jono.internal.runtime;

import dev.jono.JonoClock;

/**
 * What the storage's clock shows, estimated from its replies and this process's monotonic clock. Decides only how long
 * to sleep; what is mature the storage decides itself.
 */
public final class StorageClock {
    private static final long QUICK_NANOS = 50_000_000L;

    private final JonoClock clock;
    private volatile long offsetMillis;
    private volatile boolean known;

    StorageClock(JonoClock clock) {
        this.clock = clock;
    }

    /**
     * A reply said that the storage's clock showed this. A reply that took long shows a past that nobody can date, so it
     * counts only if it would set the clock forward.
     *
     * @param sentNanos when the call was sent
     */
    public void observe(long storageMillis, long sentNanos) {
        if (storageMillis <= 0) {
            return;
        }
        long now = clock.nanos();
        long offset = storageMillis - now / 1_000_000;
        if (!known || now - sentNanos < QUICK_NANOS || offset > offsetMillis) {
            offsetMillis = offset;
            known = true;
        }
    }

    public long nowMillis() {
        return known ? offsetMillis + clock.nanos() / 1_000_000 : clock.wallMillis();
    }
}
