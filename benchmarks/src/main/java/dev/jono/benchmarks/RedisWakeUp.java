package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Compares the delay from a push in one process to the pop in another one, on Redis, at 100 messages/s: Jono and keuss
 * in turn on one server.
 */
final class RedisWakeUp {
    private static final String BACKEND = "redis-oq";

    private RedisWakeUp() {}

    static Row measure(int rounds, double scale) throws Exception {
        int messages = (int) Math.max(200, 1_000 * scale);
        List<Histogram> ours = new ArrayList<>();
        List<Histogram> theirs = new ArrayList<>();
        try (RedisServer redis = RedisServer.start();
                QueueFactory jono = QueueFactory.connect(RedisTestbed.url(BACKEND, redis));
                ChildProcess consumer = ChildProcess.jvm(PacedMessages.class, RedisTestbed.url(BACKEND, redis));
                KeussProcess producing = new KeussProcess(redis, BACKEND, "keuss", 1);
                KeussProcess consuming = new KeussProcess(redis, BACKEND, "keuss", 1)) {
            MessageQueue<String> queue = jono.queue(PacedMessages.QUEUE, Codec.string());
            consumer.line();
            consuming.prepare(Map.of("op", "ages"));
            consuming.go();
            PacedMessages.push(queue, PacedMessages.WARM_UP);
            PacedMessages.delays(consumer::line, PacedMessages.WARM_UP);
            for (int round = 0; round < rounds; round++) {
                PacedMessages.push(queue, messages);
                ours.add(PacedMessages.delays(consumer::line, messages));
                producing.prepare(Map.of("op", "pace", "total", messages, "millis", PacedMessages.GAP_MILLIS));
                producing.go();
                theirs.add(PacedMessages.delays(consuming::line, messages));
                producing.line();
            }
        }
        return row(ours, theirs);
    }

    private static Row row(List<Histogram> ours, List<Histogram> theirs) {
        Spread p50 = ratios(ours, theirs, 50);
        Spread p99 = ratios(ours, theirs, 99);
        Histogram jono = PacedMessages.sum(ours);
        Histogram keuss = PacedMessages.sum(theirs);
        double max = PacedMessages.millis(jono, 100);
        return new Row(
                "redis-oq-wake-up",
                "redis-oq push to pop in another process, 100 messages/s / keuss",
                "p50 10 times lower, p99 5 times lower, maximum under 200 ms",
                p50.median() >= 10 && p99.median() >= 5 && max < 200,
                String.format(
                        "p50 %.1f times lower (%.1f to %.1f), p99 %.1f times lower (%.1f to %.1f); Jono %s; keuss %s",
                        p50.median(),
                        p50.min(),
                        p50.max(),
                        p99.median(),
                        p99.min(),
                        p99.max(),
                        text(jono),
                        text(keuss)),
                Map.of(
                        "p50Ratio",
                        p50,
                        "p99Ratio",
                        p99,
                        "ours",
                        PacedMessages.figures(jono),
                        "keuss",
                        PacedMessages.figures(keuss)));
    }

    private static String text(Histogram micros) {
        return String.format(
                "p50 %.2f ms, p99 %.2f ms, max %.2f ms",
                PacedMessages.millis(micros, 50), PacedMessages.millis(micros, 99), PacedMessages.millis(micros, 100));
    }

    private static Spread ratios(List<Histogram> ours, List<Histogram> theirs, double percentile) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < ours.size(); i++) {
            ratios.add(PacedMessages.millis(theirs.get(i), percentile) / PacedMessages.millis(ours.get(i), percentile));
        }
        return Spread.of(ratios);
    }
}
