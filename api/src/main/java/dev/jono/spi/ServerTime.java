package dev.jono.spi;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Estimates the present time of a server's clock, for steps that cannot ask the server. The estimate is based on the
 * server's replies and on the monotonic clock of this process. Thread-safe.
 *
 * <p>A reply says that the server's clock showed a certain millisecond at some moment between the sending of the command
 * and the arrival of the reply. Each reply narrows the interval in which the server's clock can be. A reply that
 * contradicts the others begins a new interval: another server has taken over, or the clock was set.
 */
public final class ServerTime {
    /**
     * Two clocks drift apart by at most one part in this many of the elapsed time. A clock that is being slewed may drift
     * more.
     */
    private static final long DRIFT = 10_000;

    /** For this long a reply is recent enough. */
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final JonoClock clock;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private boolean known;

    @GuardedBy("lock") private long seenNanos;

    /** Lower and upper bound of the server's time minus the monotonic clock, in nanoseconds. */
    @GuardedBy("lock") private long leastNanos;

    @GuardedBy("lock") private long mostNanos;

    @GuardedBy("lock") private long toldMillis;

    /**
     * Knows no time until the first reply.
     *
     * @param clock its monotonic clock measures the time between replies
     */
    public ServerTime(JonoClock clock) {
        this.clock = clock;
    }

    /** Returns the monotonic time in nanoseconds; read it before a command is sent. */
    public long nanos() {
        return clock.nanos();
    }

    /**
     * Records a reading of the server's clock from a reply. Call it when the reply has arrived.
     *
     * @param serverMillis the reading, in milliseconds since the epoch
     * @param sentNanos {@link #nanos()} from before the command was sent
     */
    public void observe(long serverMillis, long sentNanos) {
        long now = clock.nanos();
        long least = serverMillis * NANOS_PER_MILLI - now;
        long most = (serverMillis + 1) * NANOS_PER_MILLI - sentNanos;
        lock.lock();
        try {
            long drift = (now - seenNanos) / DRIFT;
            boolean fits = known
                    && now - seenNanos < 4 * FRESH_NANOS
                    && least <= mostNanos + drift
                    && most >= leastNanos - drift;
            leastNanos = fits ? Math.max(leastNanos - drift, least) : least;
            mostNanos = fits ? Math.min(mostNanos + drift, most) : most;
            seenNanos = now;
            known = true;
        } finally {
            lock.unlock();
        }
    }

    /** Whether there was no reading yet, or the last one is more than 5 s old. */
    public boolean stale() {
        lock.lock();
        try {
            return !known || clock.nanos() - seenNanos > FRESH_NANOS;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the present time of the server in milliseconds since the epoch, and never a later one. It does not go back
     * unless the server's clock does, so of two messages that are pushed one after the other, the second is not due
     * first.
     */
    public long nowMillis() {
        lock.lock();
        try {
            long now = clock.nanos();
            long drift = (now - seenNanos) / DRIFT;
            long least = Math.floorDiv(now + leastNanos - drift, NANOS_PER_MILLI);
            long most = -Math.floorDiv(-(now + mostNanos + drift), NANOS_PER_MILLI);
            if (least > toldMillis || toldMillis > most) {
                toldMillis = least;
            }
            return toldMillis;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the present time of the server in milliseconds since the epoch, and never an earlier one. Add delays to it,
     * so that no message is due early.
     */
    public long latestMillis() {
        lock.lock();
        try {
            long now = clock.nanos();
            long drift = (now - seenNanos) / DRIFT;
            return -Math.floorDiv(-(now + mostNanos + drift), NANOS_PER_MILLI);
        } finally {
            lock.unlock();
        }
    }
}
