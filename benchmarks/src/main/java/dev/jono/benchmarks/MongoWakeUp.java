package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Measures the delay from a push in this process to the pop in another one, on MongoDB, at 100 messages/s. A signal in
 * the capped collection wakes the other process.
 */
final class MongoWakeUp {
    private MongoWakeUp() {}

    static Row measure(int rounds, double scale) throws Exception {
        int messages = (int) Math.max(200, 1_000 * scale);
        List<Histogram> all = new ArrayList<>();
        try (MongoTestbed testbed = new MongoTestbed();
                QueueFactory jono = QueueFactory.connect(testbed.url("mongo", PacedMessages.QUEUE));
                ChildProcess consumer =
                        ChildProcess.jvm(PacedMessages.class, testbed.url("mongo", PacedMessages.QUEUE))) {
            MessageQueue<String> queue = jono.queue(PacedMessages.QUEUE, Codec.string());
            consumer.line();
            PacedMessages.push(queue, PacedMessages.WARM_UP);
            PacedMessages.delays(consumer::line, PacedMessages.WARM_UP);
            for (int round = 0; round < rounds; round++) {
                PacedMessages.push(queue, messages);
                all.add(PacedMessages.delays(consumer::line, messages));
            }
        }
        Histogram sum = PacedMessages.sum(all);
        double p50 = PacedMessages.millis(sum, 50);
        double p99 = PacedMessages.millis(sum, 99);
        double worst = PacedMessages.millis(sum, 100);
        return new Row(
                "mongo-wake-up",
                "mongo push to pop in another process, 100 messages/s, mongo-capped signals",
                "p50 at most 10 ms, p99 at most 40 ms, maximum under 500 ms",
                p50 <= 10 && p99 <= 40 && worst < 500,
                String.format(
                        "p50 %.2f ms, p99 %.2f ms, max %.2f ms over %,d messages",
                        p50, p99, worst, sum.getTotalCount()),
                Map.of("ours", PacedMessages.figures(sum)));
    }
}
