package dev.jono.benchmarks.compare;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Sends that are under way, at most so many. One thread sends. */
final class Pending implements AutoCloseable {
    private static final int MOST = 20_000;

    private final Semaphore room = new Semaphore(MOST);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final ExecutorService threads;

    /** How many threads make calls that block. */
    Pending(int blocking) {
        this.threads = Executors.newFixedThreadPool(Math.max(1, blocking), work -> {
            Thread thread = new Thread(work, "sender");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** A call that blocks. */
    interface Call {
        void run() throws Exception;
    }

    /** Leaves it to one of the threads. */
    void blocking(Call call) throws InterruptedException {
        begin();
        threads.execute(() -> {
            try {
                call.run();
                end(null);
            } catch (Exception e) {
                end(e);
            }
        });
    }

    /** Follows a call that is a future. */
    void future(CompletionStage<?> call) throws InterruptedException {
        begin();
        call.whenComplete((done, failed) -> end(failed));
    }

    void begin() throws InterruptedException {
        room.acquire();
    }

    void end(@Nullable Throwable failed) {
        if (failed != null) {
            failure.compareAndSet(null, failed);
        }
        room.release();
    }

    /** Waits for all; throws if one failed. */
    void await() throws InterruptedException {
        room.acquire(MOST);
        room.release(MOST);
        Throwable failed = failure.getAndSet(null);
        if (failed != null) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
