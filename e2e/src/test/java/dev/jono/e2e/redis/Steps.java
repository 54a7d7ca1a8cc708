package dev.jono.e2e.redis;

import dev.jono.Backoff;
import dev.jono.BrowsedMessage;
import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A process that announces each step on a message, executes it when it reads a line, and reports it. */
public final class Steps {
    static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration WAIT = Duration.ofSeconds(10);

    private Steps() {}

    static QueueOptions options() {
        return QueueOptions.builder()
                .lease(LEASE)
                .backoff(Backoff.fixed(Duration.ZERO))
                .pollInterval(Duration.ofSeconds(1))
                .deadLetter(DeadLetter.never())
                .build();
    }

    /** Arguments: the URL and the step. Each line of input makes it execute the step once more. */
    public static void main(String[] args) throws IOException, InterruptedException {
        String step = args[1];
        BufferedReader told = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (QueueFactory jono =
                QueueFactory.builder(args[0]).queueDefaults(options()).connect()) {
            MessageQueue<String> queue = jono.queue("orders", Codec.string(), options());
            while (true) {
                Step todo = prepared(step, jono, queue);
                if (told.readLine() == null) {
                    return;
                }
                todo.run();
            }
        }
    }

    /** A step. */
    private interface Step {
        void run() throws InterruptedException;
    }

    @SuppressWarnings("SystemOut") // the parent reads its lines
    private static void say(String what, String payload) {
        System.out.println(what + payload);
    }

    /** Announces the message, if it is known. The returned action executes the step, and returns the message. */
    private static Step prepared(String step, QueueFactory jono, MessageQueue<String> queue)
            throws InterruptedException {
        switch (step) {
            case "pop" -> {
                say("before ", "");
                return () -> say("after ", queue.pop(WAIT).orElseThrow().payload());
            }
            case "reserve" -> {
                say("before ", "");
                return () -> say("after ", queue.reserve(WAIT).orElseThrow().payload());
            }
            case "remove" -> {
                BrowsedMessage<String> first = queue.browse(null, 1).get(0);
                say("before ", first.payload());
                return () -> {
                    queue.remove(first.id());
                    say("after ", first.payload());
                };
            }
            default -> {
                Reservation<String> held = queue.reserve(WAIT).orElseThrow();
                if (step.equals("redrive")) {
                    held.reject("not wanted yet");
                }
                say("before ", held.payload());
                return () -> {
                    settle(step, held, jono);
                    say("after ", held.payload());
                };
            }
        }
    }

    private static void settle(String step, Reservation<String> held, QueueFactory jono) {
        switch (step) {
            case "ack" -> held.ack();
            case "retry" -> held.retry(Duration.ZERO);
            case "release" -> held.release();
            case "extend" -> held.extend(Duration.ofSeconds(1));
            case "reject" -> held.reject("not wanted");
            case "move" -> held.moveTo("elsewhere");
            case "redrive" -> jono.deadLetters().redrive();
            default -> throw new IllegalArgumentException(step);
        }
    }
}
