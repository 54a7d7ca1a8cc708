package dev.jono.backend.postgres;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a call of this process adds to queues, or gives back: claims must not begin to look behind them. No mark is ahead of
 * the present, so that is about messages that were due before, and about calls that took longer than marks allow for. Used by one
 * thread, for one call.
 */
final class Arrivals {
    private final LongSupplier nanos;
    private final long begunNanos;

    private Arrivals(LongSupplier nanos) {
        this.nanos = nanos;
        this.begunNanos = nanos.getAsLong();
    }

    /**
     * Before a call.
     *
     * @param nanos the nanoseconds of a clock that does not go back
     */
    static Arrivals begin(LongSupplier nanos) {
        return new Arrivals(nanos);
    }

    /**
     * After the call: a message has come.
     *
     * @param looks those of its queue; null if no store of this process uses it
     * @param nowMillis the server's clock during the call
     */
    void came(@Nullable QueueLooks looks, long dueMillis, long nowMillis) {
        long tookMillis = TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - begunNanos);
        if (looks != null && (dueMillis < nowMillis || tookMillis >= LowWaterMark.COMMIT_MILLIS)) {
            looks.free().lower(dueMillis);
        }
    }
}
