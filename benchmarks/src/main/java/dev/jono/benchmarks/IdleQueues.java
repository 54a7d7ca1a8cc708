package dev.jono.benchmarks;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.ReserveOptions;
import dev.jono.testkit.server.RedisServer;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Measures what 10,000 idle queues cost, each with a waiting consumer: heap after a collection, threads, and CPU time
 * while no message arrives. The queues are in a process of their own; this process reads its CPU time.
 */
final class IdleQueues {
    private static final int QUEUES = 10_000;

    private IdleQueues() {}

    static Row memory(double scale) throws Exception {
        return measure("memory", "memory:", scale);
    }

    static Row sqlite(double scale) throws Exception {
        Path folder = Files.createTempDirectory("jono-bench");
        try {
            return measure("sqlite", "sqlite:" + folder.resolve("jono.db"), scale);
        } finally {
            Folders.delete(folder);
        }
    }

    static Row redis(String backend, double scale) throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            return measure(backend, RedisTestbed.url(backend, redis), scale);
        }
    }

    private static Row measure(String backend, String url, double scale) throws Exception {
        double percent;
        long heap;
        int threads;
        long seconds = (long) Math.max(10, 40 * scale);
        try (ChildProcess child = ChildProcess.jvm(IdleQueues.class, url)) {
            child.line();
            Pauses.pause(3_000);
            Duration before = child.cpu();
            Pauses.pause(seconds * 1000);
            percent = child.cpu().minus(before).toNanos() / 1e9 / seconds * 100;
            child.send("measure");
            String[] figures = child.line().split(" ", -1);
            heap = Long.parseLong(figures[0]);
            threads = Integer.parseInt(figures[1]);
        }
        double mib = heap / 1024.0 / 1024.0;
        return new Row(
                "idle-" + backend,
                String.format("%,d idle queues with a waiting consumer each, on %s", QUEUES, backend),
                "at most 100 MiB heap, at most 50 threads, under 2 % of a core",
                mib <= 100 && threads <= 50 && percent < 2,
                String.format("%.1f MiB heap, %d threads, %.2f %% of a core over %d s", mib, threads, percent, seconds),
                Map.of("heapMiB", mib, "threads", threads, "corePercent", percent));
    }

    /** The process with the idle queues. */
    public static void main(String[] arguments) throws Exception {
        try (QueueFactory jono = QueueFactory.connect(arguments[0])) {
            List<CompletableFuture<?>> waits = new ArrayList<>();
            List<MessageQueue<String>> queues = new ArrayList<>();
            for (int i = 0; i < QUEUES; i++) {
                MessageQueue<String> queue = jono.queue("idle" + i, Codec.string());
                queues.add(queue);
                waits.add(
                        queue.capabilities().contains(Capability.RESERVE)
                                ? queue.reserveAsync(1, Duration.ofHours(1), ReserveOptions.none())
                                : queue.popAsync(1, Duration.ofHours(1)));
            }
            System.out.println("ready");
            ChildProcess.stdin().readLine();
            for (int i = 0; i < 5; i++) {
                System.gc();
                Pauses.pause(100);
            }
            long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            int threads = ManagementFactory.getThreadMXBean().getThreadCount();
            System.out.println(heap + " " + threads);
            queues.forEach(MessageQueue::cancelAll);
            waits.forEach(CompletableFuture::join);
        }
    }
}
