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
import java.util.concurrent.LinkedBlockingQueue;
import org.HdrHistogram.Histogram;

/**
 * Measures the delay from a push in this process to the delivery in another one, on SQLite, one message at a time; and
 * the CPU time of the waiting process while no message arrives. A message holds the monotonic time of its push. On
 * Linux that clock is the same for all processes.
 */
final class SqliteWakeUp {
    private static final JonoClock CLOCK = JonoClock.system();

    private SqliteWakeUp() {}

    static Row measure(double scale) throws Exception {
        int messdelays = (int) Math.max(100, 1_000 * scale);
        Path folder = Files.createTempDirectory("jono-bench");
        String url = "sqlite:" + folder.resolve("jono.db");
        Histogram micros = new Histogram(3);
        double idlePercent;
        try (QueueFactory jono = QueueFactory.connect(url);
                ChildProcess consumer = ChildProcess.jvm(SqliteWakeUp.class, url)) {
            consumer.line();
            MessageQueue<String> queue = jono.queue("wake", Codec.string());
            for (int i = 0; i < messdelays + 100; i++) {
                // At uneven times, so that the pushes do not match a rhythm of the other process.
                Pauses.pause(5 + (i * 7) % 11);
                queue.push(Long.toString(CLOCK.nanos()));
                long delay = Long.parseLong(consumer.line());
                if (i >= 100) {
                    micros.recordValue(delay / 1000);
                }
            }
            idlePercent = idle(consumer, (long) Math.max(5_000, 20_000 * scale));
        } finally {
            Folders.delete(folder);
        }
        double p50 = micros.getValueAtPercentile(50) / 1000.0;
        double p99 = micros.getValueAtPercentile(99) / 1000.0;
        return new Row(
                "sqlite-wake-up",
                "sqlite wake-up across two processes, one message at a time; CPU of the waiting one while idle",
                "p50 at most 3 ms, p99 at most 15 ms, under 1 % of a core",
                p50 <= 3 && p99 <= 15 && idlePercent < 1,
                String.format(
                        "p50 %.2f ms, p99 %.2f ms, max %.2f ms over %,d messdelays; idle %.2f %% of a core",
                        p50, p99, micros.getMaxValue() / 1000.0, messdelays, idlePercent),
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
        // The compiler still runs for a while after the load.
        Pauses.pause(2_000);
        Duration before = consumer.cpu();
        Pauses.pause(millis);
        return consumer.cpu().minus(before).toNanos() / 1e6 / millis * 100;
    }

    /** The consuming process: prints the delay of each message, in nanoseconds. */
    public static void main(String[] arguments) throws Exception {
        LinkedBlockingQueue<Long> delays = new LinkedBlockingQueue<>();
        try (QueueFactory jono = QueueFactory.connect(arguments[0])) {
            Worker worker = jono.worker()
                    .from(
                            jono.queue("wake", Codec.string()),
                            (sent, delivery) -> delays.add(CLOCK.nanos() - Long.parseLong(sent)))
                    .start();
            System.out.println("ready");
            Thread printer = new Thread(() -> {
                try {
                    while (true) {
                        System.out.println(delays.take());
                    }
                } catch (InterruptedException end) {
                    Thread.currentThread().interrupt();
                }
            });
            printer.setDaemon(true);
            printer.start();
            while (ChildProcess.stdin().readLine() != null) {
                // Runs until its parent closes the pipe.
            }
            worker.stop(Duration.ofSeconds(5));
        }
    }
}
