package dev.jono.cli;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Keeps a number of asynchronous calls in flight. The thread that calls {@link #run} starts them all. */
final class InFlight {
    private final int callers;
    private final Semaphore free;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    InFlight(int callers) {
        this.callers = callers;
        this.free = new Semaphore(callers);
    }

    /** The calls to make. */
    interface Calls {
        /** Whether there is another call to make. May wait until the call is due. */
        boolean more() throws InterruptedException;

        /** Starts the next call. */
        CompletableFuture<?> next();
    }

    /**
     * Starts calls until there are no more or one fails, and waits until all have completed.
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
