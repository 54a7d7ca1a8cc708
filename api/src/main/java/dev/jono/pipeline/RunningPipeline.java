package dev.jono.pipeline;

import dev.jono.Worker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A running pipeline: one worker for each link. */
final class RunningPipeline implements Pipeline {
    private final String name;
    private final List<Link> links;
    private final List<Worker> workers;

    RunningPipeline(String name, List<Link> links, List<Worker> workers) {
        this.name = name;
        this.links = List.copyOf(links);
        this.workers = List.copyOf(workers);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Link> links() {
        return links;
    }

    @Override
    public boolean stop(Duration timeout) {
        // The links stop concurrently, each on its own thread, because they share the timeout.
        List<CompletableFuture<Boolean>> stops = workers.stream()
                .map(worker -> {
                    CompletableFuture<Boolean> done = new CompletableFuture<>();
                    Thread thread = new Thread(() -> stopOne(worker, timeout, done), "jono-stop-" + name);
                    thread.setDaemon(true);
                    try {
                        thread.start();
                    } catch (OutOfMemoryError noThread) {
                        stopOne(worker, timeout, done);
                    }
                    return done;
                })
                .toList();
        boolean clean = true;
        for (CompletableFuture<Boolean> stop : stops) {
            clean &= stop.join();
        }
        return clean;
    }

    private static void stopOne(Worker worker, Duration timeout, CompletableFuture<Boolean> done) {
        try {
            done.complete(worker.stop(timeout));
        } catch (Throwable failure) {
            done.completeExceptionally(failure);
        }
    }

    @Override
    public void close() {
        stop(Duration.ofSeconds(30));
    }
}
