package dev.jono.spi;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the server's clock shows, for steps that cannot ask it: estimated from its replies and the monotonic clock of this
 * process. A reply says that at some moment between its sending and its coming the server showed a certain millisecond;
 * each narrows the interval in which the server's clock can be. A reply that contradicts the others (another server has
 * taken over, or the clock was set) begins a new one. Thread-safe.
 */
public final class ServerTime {
    /** Two clocks part by no more than this part of the time; one that is being slewed may do more. */
    private static final long DRIFT = 10_000;

    /** So long a reply tells enough. */
    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final JonoClock clock;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private boolean known;

    @GuardedBy("lock") private long seenNanos;

    /** What to add to the monotonic clock, in nanoseconds: at least, at most. */
    @GuardedBy("lock") private long leastNanos;

    @GuardedBy("lock") private long mostNanos;

    @GuardedBy("lock") private long toldMillis;

    /** Knows nothing yet: the first reply tells it. */
    public ServerTime(JonoClock clock) {
        this.clock = clock;
    }

    /** The monotonic clock, to be read before a command is sent. */
    public long nanos() {
        return clock.nanos();
    }

    /**
     * The server's clock showed this.
     *
     * @param sentNanos {@link #nanos()} before the command was sent
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

    /** Whether no reply has told anything yet, or the last one some seconds ago. */
    public boolean stale() {
        lock.lock();
        try {
            return !known || clock.nanos() - seenNanos > FRESH_NANOS;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The server's present, not later than it is. It does not go back, unless the server's clock has: of two messages
     * pushed one after the other the second is due last.
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

    /** The server's present, not earlier than it is: what a delay is added to, so that nothing is early. */
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
