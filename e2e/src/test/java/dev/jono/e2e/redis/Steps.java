package dev.jono.e2e.redis;

import dev.jono.Backoff;
import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A process that says what it is about to do with a message, does it when it is told to, and says so. */
public final class Steps {
    static final Duration LEASE = Duration.ofSeconds(2);

    private Steps() {}

    static QueueOptions options() {
        return QueueOptions.builder()
                .lease(LEASE)
                .backoff(Backoff.fixed(Duration.ZERO))
                .pollInterval(Duration.ofSeconds(1))
                .deadLetter(DeadLetter.never())
                .build();
    }

    /** URL, and the step. Each line that comes in lets it do the step once more. */
    @SuppressWarnings("SystemOut") // it talks to its parent by lines
    public static void main(String[] args) throws IOException, InterruptedException {
        String step = args[1];
        BufferedReader told = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (QueueFactory jono = QueueFactory.connect(args[0])) {
            MessageQueue<String> queue = jono.queue("orders", Codec.string(), options());
            while (true) {
                boolean taking = step.equals("pop") || step.equals("reserve");
                Reservation<String> held =
                        taking ? null : queue.reserve(Duration.ofSeconds(10)).orElseThrow();
                System.out.println("before " + (held == null ? "" : held.payload()));
                if (told.readLine() == null) {
                    return;
                }
                Message<String> message = held;
                if (held == null) {
                    message = step.equals("pop")
                            ? queue.pop(Duration.ofSeconds(10)).orElseThrow()
                            : queue.reserve(Duration.ofSeconds(10)).orElseThrow();
                } else {
                    settle(step, held);
                }
                System.out.println("after " + (message == null ? "" : message.payload()));
            }
        }
    }

    private static void settle(String step, Reservation<String> held) {
        switch (step) {
            case "ack" -> held.ack();
            case "retry" -> held.retry(Duration.ZERO);
            case "release" -> held.release();
            case "extend" -> held.extend(Duration.ofSeconds(1));
            case "reject" -> held.reject("not wanted");
            case "move" -> held.moveTo("elsewhere");
            default -> throw new IllegalArgumentException(step);
        }
    }
}
