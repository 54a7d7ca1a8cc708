package dev.jono.internal.runtime;

import dev.jono.JonoClock;

/**
 * The time of the storage, estimated from its replies and the monotonic clock of this process. It only decides how long to
 * wait: which messages are due, the storage decides. Thread-safe.
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
     * The storage's clock showed this time in a reply. If the reply took long, the time is of an unknown moment in the
     * past; it then counts only if it sets the estimate forward.
     *
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

    public long nowMillis() {
        return known ? offsetMillis + clock.nanos() / 1_000_000 : clock.wallMillis();
    }
}
