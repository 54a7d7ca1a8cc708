package dev.jono.internal;

import dev.jono.JonoClock;

/**
 * What the storage's clock shows, estimated from its replies and this process's monotonic clock. Decides only how long
 * to sleep; what is mature the storage decides itself.
 */
final class StorageTime {
    private final JonoClock clock;
    private volatile long offsetMillis;
    private volatile boolean known;

    StorageTime(JonoClock clock) {
        this.clock = clock;
    }

    /** A reply said that the storage's clock showed this. */
    void observe(long storageMillis) {
        if (storageMillis > 0) {
            offsetMillis = storageMillis - clock.nanos() / 1_000_000;
            known = true;
        }
    }

    long nowMillis() {
        return known ? offsetMillis + clock.nanos() / 1_000_000 : clock.wallMillis();
    }
}
