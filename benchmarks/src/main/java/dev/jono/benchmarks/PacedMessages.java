package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.JonoClock;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Pushes 100 messages/s in this process, and measures the delay until a child process pops them. A message holds the
 * monotonic time of its push; {@link #main} is the child process, which prints the delay of each message.
 */
final class PacedMessages {
    /** The name of the queue. */
    static final String QUEUE = "paced";

    /** The milliseconds between two pushes. */
    static final int GAP_MILLIS = 10;

    /** The messages that do not count. */
    static final int WARM_UP = 200;

    private static final JonoClock CLOCK = JonoClock.system();

    private PacedMessages() {}

    /** The argument of {@link #main} after which it reserves and acks, instead of popping. */
    static final String RESERVE = "reserve";

    /** A source of lines, such as the output of a child process. */
    interface Lines {
        String next() throws Exception;
    }

    static void push(MessageQueue<String> queue, int messages) throws InterruptedException {
        long begin = CLOCK.nanos();
        for (int i = 0; i < messages; i++) {
            Pauses.pauseUntil(begin + i * (GAP_MILLIS * 1_000_000L));
            queue.push(Long.toString(CLOCK.nanos()));
        }
    }

    /** Reads the delays of this many messages and returns them in microseconds. Waits until all have arrived. */
    static Histogram delays(Lines consumer, int messages) throws Exception {
        Histogram micros = new Histogram(3);
        for (int i = 0; i < messages; i++) {
            micros.recordValue(Long.parseLong(consumer.next()) / 1000);
        }
        return micros;
    }

    /** Returns the delays of all rounds together. */
    static Histogram sum(List<Histogram> rounds) {
        Histogram sum = new Histogram(3);
        rounds.forEach(sum::add);
        return sum;
    }

    static double millis(Histogram micros, double percentile) {
        return micros.getValueAtPercentile(percentile) / 1000.0;
    }

    /** Returns the figures for a result file. */
    static Map<String, Double> figures(Histogram micros) {
        return Map.of(
                "p50Millis", millis(micros, 50), "p99Millis", millis(micros, 99), "maxMillis", millis(micros, 100));
    }

    /** The consuming process: prints the delay of each message, in nanoseconds. */
    public static void main(String[] arguments) throws Exception {
        QueueFactory jono = QueueFactory.connect(arguments[0]);
        MessageQueue<String> queue = jono.queue(QUEUE, Codec.string());
        boolean reserves = arguments.length > 1 && arguments[1].equals(RESERVE);
        Thread consumer = new Thread(() -> {
            try {
                while (true) {
                    if (reserves) {
                        queue.reserve(Duration.ofHours(1)).ifPresent(held -> {
                            printDelay(held.payload());
                            held.ack();
                        });
                    } else {
                        queue.pop(Duration.ofHours(1)).ifPresent(message -> printDelay(message.payload()));
                    }
                }
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        });
        consumer.setDaemon(true);
        consumer.start();
        System.out.println("ready");
        while (ChildProcess.stdin().readLine() != null) {
            // Runs until its parent closes the pipe.
        }
        queue.cancelAll();
        jono.close();
    }

    private static void printDelay(String sent) {
        System.out.println(CLOCK.nanos() - Long.parseLong(sent));
    }
}
