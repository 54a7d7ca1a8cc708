package dev.jono.benchmarks.compare;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends that are under way, of so many messages at most: who sends more is held up until some are done, which shows in the
 * delays. One thread sends.
 */
final class SendWindow implements AutoCloseable {
    /** Messages; more than one call is ever about. */
    private static final int MOST = 20_000;

    private final Semaphore room = new Semaphore(MOST);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final ExecutorService threads;

    /** How many threads make calls that block. */
    SendWindow(int blocking) {
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

    /** Leaves a call about so many messages to one of the threads. */
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

    /** Makes a call about so many messages, whose end is a future. */
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
