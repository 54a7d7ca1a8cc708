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
        try (MongoBench bench = new MongoBench();
                QueueFactory jono = QueueFactory.connect(bench.url("mongo", "gaps"));
                Child consumer = Child.jvm(EvenGaps.class, bench.url("mongo", "gaps"))) {
            MessageQueue<String> queue = jono.queue("gaps", Codec.string());
            consumer.line();
            EvenGaps.push(queue, EvenGaps.WARM_UP);
            EvenGaps.ages(consumer::line, EvenGaps.WARM_UP);
            for (int round = 0; round < rounds; round++) {
                EvenGaps.push(queue, messages);
                all.add(EvenGaps.ages(consumer::line, messages));
            }
        }
        Histogram sum = EvenGaps.all(all);
        double p50 = EvenGaps.millis(sum, 50);
        double p99 = EvenGaps.millis(sum, 99);
        double worst = EvenGaps.millis(sum, 100);
        return Row.limits(
                "mongo-wake-up",
                "mongo push to pop in another process, 100 messages/s at even gaps, mongo-capped signals",
                "p50 at most 10 ms, p99 at most 40 ms, maximum under 500 ms",
                p50 <= 10 && p99 <= 40 && worst < 500,
                String.format(
                        "p50 %.2f ms, p99 %.2f ms, max %.2f ms over %,d messages",
                        p50, p99, worst, sum.getTotalCount()),
                Map.of("ours", EvenGaps.figures(sum)));
    }
}
