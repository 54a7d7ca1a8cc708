package dev.jono.benchmarks.compare;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits the messages that a driver has in flight in a paced flow. A driver that reaches the limit blocks until calls
 * have ended, and its messages are late. One thread sends.
 */
final class SendWindow implements AutoCloseable {
    /** The limit in messages; larger than any single call. */
    private static final int LIMIT = 20_000;

    private final Semaphore room = new Semaphore(LIMIT);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final ExecutorService threads;

    /** A window whose blocking calls run on {@code blocking} threads. */
    SendWindow(int blocking) {
        this.threads = Executors.newFixedThreadPool(Math.max(1, blocking), work -> {
            Thread thread = new Thread(work, "sender");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** A blocking call. */
    interface Call {
        void run() throws Exception;
    }

    /** Runs a blocking call with this many messages on one of the threads. */
    void blocking(int messages, Call call) throws InterruptedException {
        room.acquire(messages);
        threads.execute(() -> {
            try {
                call.run();
                end(messages, null);
            } catch (Exception e) {
                end(messages, e);
            }
        });
    }

    /** Makes an asynchronous call with this many messages. */
    void future(int messages, Supplier<? extends CompletionStage<?>> call) throws InterruptedException {
        room.acquire(messages);
        CompletionStage<?> begun;
        try {
            begun = call.get();
        } catch (RuntimeException refused) {
            end(messages, refused);
            return;
        }
        begun.whenComplete((done, failed) -> end(messages, failed));
    }

    private void end(int messages, @Nullable Throwable failed) {
        if (failed != null) {
            failure.compareAndSet(null, failed);
        }
        room.release(messages);
    }

    /** Waits until all calls have ended; throws if one failed. */
    void await() throws InterruptedException {
        room.acquire(LIMIT);
        room.release(LIMIT);
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
