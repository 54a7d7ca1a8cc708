package dev.jono.internal.concurrent;

import dev.jono.JonoClock;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets a caller that waits alone poll for its answer for a moment before its thread sleeps: sleeping and waking takes a
 * third of the time that a local storage takes to answer. A caller that waits alongside others sleeps at once, because the
 * processor has other work; so does every caller of a storage that turned out to be slower than the moment.
 *
 * Between two polls the thread yields its processor: the thread that reads the answer may be waiting for just that one. A
 * virtual thread does not poll: its yield would only exchange it for another virtual thread. Thread-safe.
 */
public final class SpinWait {
    /** The host's time: the clock of the factory may be a test's and stand still. */
    private static final JonoClock REAL = JonoClock.system();

    private static final long LONGEST_NANOS = TimeUnit.MICROSECONDS.toNanos(300);
    private static final int MISSES = 3;
    private static final int TRIED_AGAIN_AFTER = 100;

    private final boolean useful;
    private final AtomicInteger waiting = new AtomicInteger();

    /** Waits in a row that were longer than the poll. A race over it only makes it somewhat smaller or larger. */
    private volatile int misses;

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
        if (misses < MISSES) {
            return true;
        }
        int now = skipped + 1;
        skipped = now % TRIED_AGAIN_AFTER;
        return now == TRIED_AGAIN_AFTER;
    }

    @SuppressWarnings("ThreadPriorityCheck") // if nobody wants the processor, this is one more look
    private static void betweenLooks(boolean virtual) {
        if (virtual) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }

    private boolean seen(Future<?> answer) {
        boolean virtual = Threads.isVirtual();
        long end = REAL.nanos() + LONGEST_NANOS;
        while (!answer.isDone()) {
            if (waiting.get() > 1 || REAL.nanos() - end > 0) {
                return false;
            }
            betweenLooks(virtual);
        }
        return REAL.nanos() - end <= 0; // else others have had the processor for so long that sleeping is no slower
    }

    /** Waits in a row that were longer than the poll. */
    int misses() {
        return misses;
    }
}
