package dev.jono.internal.concurrent;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Runs a step on one thread at a time. {@link #request} runs it on the calling thread; while it runs there, a request of any
 * other thread, or of the step itself, only counts, and the running thread runs the step once more. So a storage that
 * answers at once is served in a loop and not in a recursion. Thread-safe.
 *
 * <p>Example: thread A requests, and its step sends a call. Thread B requests meanwhile: its request counts, and B returns.
 * A runs the step again for B, and returns when no request is left.
 *
 * <p>The step must not throw: requests that were counted would never be served.
 */
public final class SerialLoop {
    /** A thread that only wanted to serve its own request hands over after this many repetitions. */
    private static final int TURNS_FOR_OTHERS = 32;

    private final Supplier<Next> step;
    private final Predicate<Runnable> handOver;

    /** Requests that are not served yet, with the one that runs. */
    private final AtomicInteger requests = new AtomicInteger();

    /** What follows a step. */
    public enum Next {
        /** The step is to run again at once. */
        AGAIN,
        /** It is done until the next request. */
        DONE,
        /** It continues elsewhere, which calls {@link #resume}: until then no step runs. */
        SUSPENDED
    }

    /**
     * A loop that does not run yet.
     *
     * @param handOver runs the rest on another thread; returns false if there is none
     */
    public SerialLoop(Supplier<Next> step, Predicate<Runnable> handOver) {
        this.step = step;
        this.handOver = handOver;
    }

    /** Runs the step, or lets the thread that runs it repeat it. */
    public void request() {
        if (requests.getAndIncrement() == 0) {
            run(1);
        }
    }

    /** Continues after {@link Next#SUSPENDED}, on the calling thread. */
    public void resume() {
        run(0);
    }

    private void run(int begun) {
        int seen = begun;
        int turns = 0;
        while (true) {
            Next next = step.get();
            if (next == Next.SUSPENDED) {
                return;
            }
            if (next == Next.DONE) {
                seen = requests.addAndGet(-seen);
                if (seen == 0) {
                    return;
                }
            }
            int unserved = seen;
            if (++turns == TURNS_FOR_OTHERS && handOver.test(() -> run(unserved))) {
                return;
            }
        }
    }
}
