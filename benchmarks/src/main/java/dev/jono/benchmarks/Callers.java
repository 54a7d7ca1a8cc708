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

/** Calls in flight: futures, or callers that block, each on a thread of its own (virtual where the JVM has them). */
public final class Callers implements AutoCloseable {
    private final ExecutorService threads;

    /** No thread yet. */
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

    /** Runs the same work on so many threads (for one, this thread), waits for all, and sums what they return. */
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

    /** Runs a work for each place from 0, on so many threads. */
    public void each(int callers, int places, IntConsumer work) throws Exception {
        AtomicInteger next = new AtomicInteger();
        sum(callers, () -> {
            for (int place = next.getAndIncrement(); place < places; place = next.getAndIncrement()) {
                work.accept(place);
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

    /** Keeps so many calls in flight, each end beginning the next, until so many are made; returns how many that was. */
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
