package dev.jono.benchmarks;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * Makes many calls at once: blocking calls, each on a thread of its own, or a fixed number of asynchronous calls. The
 * threads are virtual on JDK 21 and newer. {@link #close} ends the threads.
 */
public final class Callers implements AutoCloseable {
    private final ExecutorService threads;

    /** Starts no thread yet. */
    public Callers() {
        this.threads = perTask();
    }

    private static ExecutorService perTask() {
        try {
            return (ExecutorService) MethodHandles.publicLookup()
                    .findStatic(
                            Executors.class,
                            "newVirtualThreadPerTaskExecutor",
                            MethodType.methodType(ExecutorService.class))
                    .invoke();
        } catch (NoSuchMethodException olderThan21) {
            return Executors.newCachedThreadPool();
        } catch (Throwable unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    /**
     * Runs the same work on {@code callers} threads, for one caller on this thread; waits for all and returns the sum
     * of their results.
     */
    public long sum(int callers, Callable<Long> work) throws Exception {
        if (callers == 1) {
            return work.call();
        }
        List<Callable<Long>> all = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            all.add(work);
        }
        return sum(all);
    }

    /** Runs {@code work} for each index from 0 to {@code count - 1}, on {@code callers} threads. */
    public void each(int callers, int count, IntConsumer work) throws Exception {
        AtomicInteger next = new AtomicInteger();
        sum(callers, () -> {
            for (int index = next.getAndIncrement(); index < count; index = next.getAndIncrement()) {
                work.accept(index);
            }
            return 0L;
        });
    }

    long sum(List<Callable<Long>> works) throws Exception {
        long total = 0;
        for (Future<Long> future : threads.invokeAll(works)) {
            total += future.get();
        }
        return total;
    }

    /**
     * Makes {@code total} calls and keeps {@code calls} of them in flight: the end of a call starts the next one.
     * Returns {@code total} when all have ended; throws if one failed.
     */
    @CanIgnoreReturnValue
    public static long inFlight(int calls, long total, Supplier<CompletableFuture<?>> call) throws Exception {
        AtomicLong left = new AtomicLong(total);
        List<CompletableFuture<Void>> chains = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
            CompletableFuture<Void> chain = new CompletableFuture<>();
            chains.add(chain);
            next(left, call, chain);
        }
        CompletableFuture.allOf(chains.toArray(CompletableFuture[]::new)).get();
        return total;
    }

    private static void next(AtomicLong left, Supplier<CompletableFuture<?>> call, CompletableFuture<Void> chain) {
        if (left.getAndDecrement() <= 0) {
            chain.complete(null);
            return;
        }
        call.get().whenComplete((done, failure) -> {
            if (failure == null) {
                next(left, call, chain);
            } else {
                chain.completeExceptionally(failure);
            }
        });
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
