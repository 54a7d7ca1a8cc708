package dev.jono.internal.concurrent;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Runs a step on one thread at a time. {@link #request} runs the step on the calling thread. While it runs there, a request by
 * another thread, or by the step itself, is only counted, and the running thread runs the step once more. So a storage that
 * answers at once is served in a loop and not in a recursion. Called on any thread, with no lock held. Thread-safe.
 *
 * <p>Example: thread A calls {@code request}, and the step sends a call. During this, thread B calls {@code request}: the request
 * is counted, and B returns. A runs the step again for B, and returns when all requests are served.
 *
 * <p>The step must not throw: requests that were counted would never be served.
 */
public final class SerialLoop {
    /** After this many runs, a thread hands the loop over to another one, because its caller waits. */
    private static final int MAX_RUNS = 32;

    private final Supplier<Next> step;
    private final Predicate<Runnable> handOver;

    /** Requests that are not served yet, including the one that is being served. */
    private final AtomicInteger requests = new AtomicInteger();

    /** What follows a step. */
    public enum Next {
        /** The step runs again at once. */
        AGAIN,
        /** The step runs again at the next request. */
        DONE,
        /** The step continues on another thread, which then calls {@link #resume}. No step runs before that. */
        SUSPENDED
    }

    /**
     * A loop for a step.
     *
     * @param handOver runs the rest of the loop on another thread; returns false if there is none
     */
    public SerialLoop(Supplier<Next> step, Predicate<Runnable> handOver) {
        this.step = step;
        this.handOver = handOver;
    }

    /** Runs the step, or lets the thread that runs it run it once more. */
    public void request() {
        if (requests.getAndIncrement() == 0) {
            run(1);
        }
    }

    /** Continues after {@link Next#SUSPENDED}, on the calling thread. */
    public void resume() {
        run(0);
    }

    /** Runs the step until all requests are served; {@code first} is how many of them the first run serves. */
    private void run(int first) {
        int seen = first;
        int runs = 0;
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
            if (++runs == MAX_RUNS && handOver.test(() -> run(unserved))) {
                return;
            }
        }
    }
}
