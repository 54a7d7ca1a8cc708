package dev.jono.benchmarks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Callers that block, each on a thread of its own: virtual where the JVM has them. */
final class Callers implements AutoCloseable {
    private final ExecutorService threads;

    Callers() {
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

    /** Runs the same work on so many threads, waits for all, and sums what they return. */
    long sum(int callers, Callable<Long> work) throws Exception {
        List<Callable<Long>> all = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            all.add(work);
        }
        return sum(all);
    }

    long sum(List<Callable<Long>> works) throws Exception {
        long total = 0;
        for (Future<Long> future : threads.invokeAll(works)) {
            total += future.get();
        }
        return total;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
