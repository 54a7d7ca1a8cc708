package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.JonoClock;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Push in one process to pop in another, 100 messages a second at even gaps: Jono and keuss in turn on one Redis. */
final class RedisWakeUp {
    private static final JonoClock CLOCK = JonoClock.system();
    private static final int GAP_MILLIS = 10;
    static final int WARM_UP = 200;
    private static final String BACKEND = "redis-oq";

    private RedisWakeUp() {}

    static Row measure(int rounds, double scale) throws Exception {
        int messages = (int) Math.max(200, 1_000 * scale);
        List<Histogram> ours = new ArrayList<>();
        List<Histogram> theirs = new ArrayList<>();
        try (RedisServer redis = RedisServer.start();
                QueueFactory jono = QueueFactory.connect(RedisTestbed.url(BACKEND, redis));
                ChildProcess consumer = ChildProcess.jvm(RedisWakeUp.class, RedisTestbed.url(BACKEND, redis));
                KeussProcess producing = new KeussProcess(redis, BACKEND, "keuss", 1);
                KeussProcess consuming = new KeussProcess(redis, BACKEND, "keuss", 1)) {
            MessageQueue<String> queue = jono.queue("gaps", Codec.string());
            consumer.line();
            consuming.prepare(Map.of("op", "ages"));
            consuming.go();
            push(queue, WARM_UP);
            ages(consumer::line, WARM_UP);
            for (int round = 0; round < rounds; round++) {
                push(queue, messages);
                ours.add(ages(consumer::line, messages));
                producing.prepare(Map.of("op", "pace", "total", messages, "millis", GAP_MILLIS));
                producing.go();
                theirs.add(ages(consuming::line, messages));
                producing.line();
            }
        }
        Spread middle = ratios(ours, theirs, 50);
        Spread tail = ratios(ours, theirs, 99);
        double worst = ours.stream().mapToDouble(h -> millis(h, 100)).max().orElseThrow();
        return Row.limits(
                "redis-oq-wake-up",
                "redis-oq push to pop in another process, 100 messages/s at even gaps / keuss",
                "p50 10 times lower, p99 5 times lower, maximum under 200 ms",
                middle.median() >= 10 && tail.median() >= 5 && worst < 200,
                String.format(
                        "p50 %.1f times lower (%.1f to %.1f), p99 %.1f times (%.1f to %.1f); ours p50 %.2f ms, p99 %.2f ms,"
                                + " max %.2f ms; keuss p50 %.2f ms, p99 %.2f ms, max %.2f ms",
                        middle.median(),
                        middle.min(),
                        middle.max(),
                        tail.median(),
                        tail.min(),
                        tail.max(),
                        millis(all(ours), 50),
                        millis(all(ours), 99),
                        worst,
                        millis(all(theirs), 50),
                        millis(all(theirs), 99),
                        millis(all(theirs), 100)),
                Map.of(
                        "p50Ratio",
                        middle,
                        "p99Ratio",
                        tail,
                        "ours",
                        figures(all(ours)),
                        "keuss",
                        figures(all(theirs))));
    }

    private static Spread ratios(List<Histogram> ours, List<Histogram> theirs, double percentile) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < ours.size(); i++) {
            ratios.add(millis(theirs.get(i), percentile) / millis(ours.get(i), percentile));
        }
        return Spread.of(ratios);
    }

    static Histogram all(List<Histogram> rounds) {
        Histogram sum = new Histogram(3);
        rounds.forEach(sum::add);
        return sum;
    }

    static double millis(Histogram histogram, double percentile) {
        return histogram.getValueAtPercentile(percentile) / 1000.0;
    }

    static Map<String, Double> figures(Histogram histogram) {
        return Map.of(
                "p50Millis",
                millis(histogram, 50),
                "p99Millis",
                millis(histogram, 99),
                "maxMillis",
                millis(histogram, 100));
    }

    /** A consumer's next line. */
    interface Lines {
        String next() throws Exception;
    }

    /** Ages in microseconds of so many messages: that all of them come is a part of what is asked. */
    static Histogram ages(Lines consumer, int messages) throws Exception {
        Histogram micros = new Histogram(3);
        for (int i = 0; i < messages; i++) {
            micros.recordValue(Long.parseLong(consumer.next()) / 1000);
        }
        return micros;
    }

    static void push(MessageQueue<String> queue, int messages) throws InterruptedException {
        long begin = CLOCK.nanos();
        for (int i = 0; i < messages; i++) {
            SqliteWakeUp.pauseUntil(begin + i * (GAP_MILLIS * 1_000_000L));
            queue.push(Long.toString(CLOCK.nanos()));
        }
    }

    /** The consuming process: prints each message's age, in nanoseconds. */
    public static void main(String[] arguments) throws Exception {
        QueueFactory jono = QueueFactory.connect(arguments[0]);
        MessageQueue<String> queue = jono.queue("gaps", Codec.string());
        Thread consumer = new Thread(() -> {
            try {
                while (true) {
                    queue.pop(Duration.ofHours(1))
                            .ifPresent(
                                    message -> System.out.println(CLOCK.nanos() - Long.parseLong(message.payload())));
                }
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        });
        consumer.setDaemon(true);
        consumer.start();
        System.out.println("ready");
        while (ChildProcess.stdin().readLine() != null) {
            // Lives until its parent closes the pipe.
        }
        queue.cancelAll();
        jono.close();
    }
}
