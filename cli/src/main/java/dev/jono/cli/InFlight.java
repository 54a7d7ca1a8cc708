package dev.jono.cli;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Keeps a number of asynchronous calls in flight, all started by one thread. */
final class InFlight {
    private final int callers;
    private final Semaphore free;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    InFlight(int callers) {
        this.callers = callers;
        this.free = new Semaphore(callers);
    }

    /** Starts calls. */
    interface Calls {
        /** Whether there is a further call to make; may wait for its time. */
        boolean more() throws InterruptedException;

        /** Makes it. */
        CompletableFuture<?> next();
    }

    /**
     * Makes calls until there are no more, or one fails, and waits for them all.
     *
     * @throws CliException with the first failure as its cause
     */
    void run(Calls calls) throws InterruptedException {
        while (failure.get() == null && calls.more()) {
            free.acquire();
            CompletableFuture<?> call;
            try {
                call = calls.next();
            } catch (RuntimeException e) {
                call = CompletableFuture.failedFuture(e);
            }
            call.whenComplete((done, thrown) -> {
                if (thrown != null) {
                    failure.compareAndSet(null, ErrorLine.unwrapped(thrown));
                }
                free.release();
            });
        }
        free.acquire(callers);
        Throwable first = failure.get();
        if (first != null) {
            throw CliException.error(ErrorLine.of(first), first);
        }
    }
}
