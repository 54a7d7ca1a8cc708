package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.JonoClock;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Worker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Push in one process to delivery in another, one message at a time. The stamps are of the monotonic clock, which on
 * Linux is one for all processes.
 */
final class SqliteWakeUp {
    private static final JonoClock CLOCK = JonoClock.system();

    private SqliteWakeUp() {}

    static Row measure(double scale) throws Exception {
        int messages = (int) Math.max(100, 1_000 * scale);
        Path folder = Files.createTempDirectory("jono-bench");
        String url = "sqlite:" + folder.resolve("jono.db");
        Histogram micros = new Histogram(3);
        double idlePercent;
        try (QueueFactory jono = QueueFactory.connect(url);
                ChildProcess consumer = ChildProcess.jvm(SqliteWakeUp.class, url)) {
            consumer.line();
            MessageQueue<String> queue = jono.queue("wake", Codec.string());
            for (int i = 0; i < messages + 100; i++) {
                // At uneven times, so that no rhythm of ours meets one of the other process.
                pause(5 + (i * 7) % 11);
                queue.push(Long.toString(CLOCK.nanos()));
                long latency = Long.parseLong(consumer.line());
                if (i >= 100) {
                    micros.recordValue(latency / 1000);
                }
            }
            idlePercent = idle(consumer, (long) Math.max(5_000, 20_000 * scale));
        } finally {
            Folders.delete(folder);
        }
        double p50 = micros.getValueAtPercentile(50) / 1000.0;
        double p99 = micros.getValueAtPercentile(99) / 1000.0;
        return Row.limits(
                "sqlite-wake-up",
                "sqlite wake-up across two processes, one message at a time; CPU of the waiting one while idle",
                "p50 at most 3 ms, p99 at most 15 ms, under 1 % of a core",
                p50 <= 3 && p99 <= 15 && idlePercent < 1,
                String.format(
                        "p50 %.2f ms, p99 %.2f ms, max %.2f ms over %,d messages; idle %.2f %% of a core",
                        p50, p99, micros.getMaxValue() / 1000.0, messages, idlePercent),
                Map.of(
                        "p50Millis",
                        p50,
                        "p99Millis",
                        p99,
                        "maxMillis",
                        micros.getMaxValue() / 1000.0,
                        "idlePercent",
                        idlePercent));
    }

    private static double idle(ChildProcess consumer, long millis) throws InterruptedException {
        // What the JIT still compiles after the load is not idling.
        pause(2_000);
        Duration before = consumer.cpu();
        pause(millis);
        return consumer.cpu().minus(before).toNanos() / 1e6 / millis * 100;
    }

    static void pause(long millis) throws InterruptedException {
        pauseUntil(CLOCK.nanos() + millis * 1_000_000);
    }

    /** Until a time of the monotonic clock. */
    static void pauseUntil(long nanos) throws InterruptedException {
        long left = nanos - CLOCK.nanos();
        if (left > 0) {
            CountDownLatch passed = new CountDownLatch(1);
            CLOCK.schedule(left, passed::countDown);
            passed.await(left + 10_000_000_000L, TimeUnit.NANOSECONDS);
        }
    }

    /** The consuming process: prints each message's age at its delivery, in nanoseconds. */
    public static void main(String[] arguments) throws Exception {
        LinkedBlockingQueue<Long> ages = new LinkedBlockingQueue<>();
        try (QueueFactory jono = QueueFactory.connect(arguments[0])) {
            Worker worker = jono.worker()
                    .from(
                            jono.queue("wake", Codec.string()),
                            (sent, delivery) -> ages.add(CLOCK.nanos() - Long.parseLong(sent)))
                    .start();
            System.out.println("ready");
            Thread printer = new Thread(() -> {
                try {
                    while (true) {
                        System.out.println(ages.take());
                    }
                } catch (InterruptedException end) {
                    Thread.currentThread().interrupt();
                }
            });
            printer.setDaemon(true);
            printer.start();
            while (ChildProcess.stdin().readLine() != null) {
                // Lives until its parent closes the pipe.
            }
            worker.stop(Duration.ofSeconds(5));
        }
    }
}
