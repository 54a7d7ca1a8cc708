package dev.jono.benchmarks;

import dev.jono.JonoClock;
import dev.jono.dashboard.Dashboard;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * People who watch pages of a dashboard, with what the script of their page does: it reads a stream and fetches the page again when that
 * tells of a change, here always after a second; a page without a stream is fetched again every five seconds.
 */
final class DashboardViewers {
    private static final Duration WATCHED = Duration.ofSeconds(30);
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final JonoClock CLOCK = JonoClock.system();

    private final Dashboard dashboard;
    private final Map<String, String> streamsOfPages;

    /**
     * Viewers, one per page.
     *
     * @param streamsOfPages by the address of a page that of its stream, or an empty text; streams end when the dashboard is closed
     */
    DashboardViewers(Dashboard dashboard, Map<String, String> streamsOfPages) {
        this.dashboard = dashboard;
        this.streamsOfPages = Map.copyOf(streamsOfPages);
    }

    /**
     * Has them watch, and returns how much processor time a process takes per second, less what it takes while nobody watches. The
     * streams go on.
     */
    double coresOf(ProcessHandle process) throws InterruptedException {
        double unwatched = cores(process);
        CountDownLatch enough = new CountDownLatch(1);
        List<CompletableFuture<Void>> viewers = new ArrayList<>();
        streamsOfPages.forEach((page, stream) -> {
            boolean live = !stream.isEmpty();
            if (live) {
                start("stream", () -> read(stream));
            }
            viewers.add(start("viewer", () -> watch(page, live ? 1 : 5, enough)));
        });
        TimeUnit.NANOSECONDS.sleep(WARM_UP.toNanos());
        double watched = cores(process);
        enough.countDown();
        viewers.forEach(CompletableFuture::join);
        return watched - unwatched;
    }

    private static double cores(ProcessHandle process) throws InterruptedException {
        long begin = CLOCK.nanos();
        Duration before = processorTime(process);
        TimeUnit.NANOSECONDS.sleep(WATCHED.toNanos());
        Duration used = processorTime(process).minus(before);
        return used.toNanos() / (double) (CLOCK.nanos() - begin);
    }

    private static Duration processorTime(ProcessHandle process) {
        return process.info().totalCpuDuration().orElseThrow();
    }

    private static CompletableFuture<Void> start(String name, Runnable work) {
        return CompletableFuture.runAsync(work, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            thread.start();
        });
    }

    private void watch(String page, int seconds, CountDownLatch enough) {
        try {
            do {
                read(page);
            } while (!enough.await(seconds, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void read(String path) {
        try {
            int status = new MemoryExchange(path).answeredBy(dashboard);
            if (status != 200) {
                throw new IllegalStateException(path + " was answered " + status);
            }
        } catch (IOException e) {
            throw new IllegalStateException(path, e);
        }
    }
}
