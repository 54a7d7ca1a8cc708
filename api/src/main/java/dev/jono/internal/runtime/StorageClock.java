package dev.jono.internal.runtime;

import dev.jono.JonoClock;

/**
 * The time of the storage, estimated from its replies and the monotonic clock of this process. The engine uses the estimate only
 * to decide how long to wait; the storage decides which messages are due. Called on any thread. Thread-safe.
 */
public final class StorageClock {
    /** A reply that took less than this shows the present time of the storage. */
    private static final long QUICK_NANOS = 50_000_000L;

    private final JonoClock clock;
    private volatile long offsetMillis;
    private volatile boolean known;

    StorageClock(JonoClock clock) {
        this.clock = clock;
    }

    /**
     * Corrects the estimate by the time in a reply. If the reply took long, the time can be old; then it is used only if it is
     * later than the estimate.
     *
     * @param storageMillis the time in the reply; 0 or less if the reply has none
     * @param sentNanos when the call was sent, by the monotonic clock
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

    /** The estimate; before the first reply, the wall time of this process. */
    public long nowMillis() {
        return known ? offsetMillis + clock.nanos() / 1_000_000 : clock.wallMillis();
    }
}
