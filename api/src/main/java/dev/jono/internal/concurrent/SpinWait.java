package dev.jono.internal.concurrent;

import dev.jono.JonoClock;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets the only waiting caller poll for its answer for up to 0.3 ms before its thread sleeps, because sleeping and waking takes
 * a third of the time that a local storage needs to answer. A caller that waits alongside others sleeps at once, because the
 * processor has other work; so does every caller of a storage whose last answers took longer.
 *
 * Between two polls the thread yields its processor: the thread that reads the answer may be waiting for just that one. Called
 * on the threads of callers. Thread-safe.
 */
public final class SpinWait {
    /** The host's time: the clock of the factory may be a test's and stand still. */
    private static final JonoClock REAL = JonoClock.system();

    private static final long LONGEST_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

    /** After this many late answers in a row, only one call in {@link #RETRY_EVERY} polls. */
    private static final int MAX_MISSES = 3;

    private static final int RETRY_EVERY = 100;

    private final boolean useful;
    private final AtomicInteger waiting = new AtomicInteger();

    /** Waits in a row that were longer than the poll. A race over it only makes it somewhat smaller or larger. */
    private volatile int misses;

    /** Calls that did not poll since the last one that did. */
    private volatile int skipped;

    public SpinWait() {
        this(Runtime.getRuntime().availableProcessors());
    }

    SpinWait(int processors) {
        this.useful = processors > 1;
    }

    /** A wait begins: polls for its end for a moment, if that is worth it. {@link #end} must follow. */
    public void begin(Future<?> answer) {
        if (waiting.getAndIncrement() == 0 && useful && !answer.isDone() && worthIt()) {
            misses = seen(answer) ? 0 : misses + 1;
        }
    }

    /** The wait is over. */
    public void end() {
        waiting.decrementAndGet();
    }

    private boolean worthIt() {
        if (misses < MAX_MISSES) {
            return true;
        }
        int now = skipped + 1;
        skipped = now % RETRY_EVERY;
        return now == RETRY_EVERY;
    }

    @SuppressWarnings("ThreadPriorityCheck") // if no other thread wants the processor, this is one more poll
    private boolean seen(Future<?> answer) {
        long end = REAL.nanos() + LONGEST_NANOS;
        while (!answer.isDone()) {
            if (waiting.get() > 1 || REAL.nanos() - end > 0) {
                return false;
            }
            Thread.yield();
        }
        // Later, other threads had the processor for so long that sleeping would have been as fast.
        return REAL.nanos() - end <= 0;
    }

    /** Waits in a row that were longer than the poll. */
    int misses() {
        return misses;
    }
}
