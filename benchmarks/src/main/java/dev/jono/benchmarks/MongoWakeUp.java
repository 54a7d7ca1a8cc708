package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Push in one process to pop in another, 100 messages a second at even gaps, woken by the capped collection. */
final class MongoWakeUp {
    private MongoWakeUp() {}

    static Row measure(int rounds, double scale) throws Exception {
        int messages = (int) Math.max(200, 1_000 * scale);
        List<Histogram> all = new ArrayList<>();
        try (MongoTestbed bench = new MongoTestbed();
                QueueFactory jono = QueueFactory.connect(bench.url("mongo", "gaps"));
                ChildProcess consumer = ChildProcess.jvm(RedisWakeUp.class, bench.url("mongo", "gaps"))) {
            MessageQueue<String> queue = jono.queue("gaps", Codec.string());
            consumer.line();
            RedisWakeUp.push(queue, RedisWakeUp.WARM_UP);
            RedisWakeUp.ages(consumer::line, RedisWakeUp.WARM_UP);
            for (int round = 0; round < rounds; round++) {
                RedisWakeUp.push(queue, messages);
                all.add(RedisWakeUp.ages(consumer::line, messages));
            }
        }
        Histogram sum = RedisWakeUp.all(all);
        double p50 = RedisWakeUp.millis(sum, 50);
        double p99 = RedisWakeUp.millis(sum, 99);
        double worst = RedisWakeUp.millis(sum, 100);
        return Row.limits(
                "mongo-wake-up",
                "mongo push to pop in another process, 100 messages/s at even gaps, mongo-capped signals",
                "p50 at most 10 ms, p99 at most 40 ms, maximum under 500 ms",
                p50 <= 10 && p99 <= 40 && worst < 500,
                String.format(
                        "p50 %.2f ms, p99 %.2f ms, max %.2f ms over %,d messages",
                        p50, p99, worst, sum.getTotalCount()),
                Map.of("ours", RedisWakeUp.figures(sum)));
    }
}
