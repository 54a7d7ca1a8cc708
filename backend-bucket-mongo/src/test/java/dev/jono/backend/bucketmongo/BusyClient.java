package dev.jono.backend.bucketmongo;

import dev.jono.Backoff;
import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A process that runs all operations at once, each on its own queue, and prints what it begins and what it has done. */
final class BusyClient {
    /** A push, a pop, and every way to settle a reservation. */
    enum Step {
        PUSH,
        POP,
        ACK,
        RETRY,
        RELEASE,
        EXTEND,
        REJECT,
        MOVE;

        /** The steps that a backend supports. */
        static List<Step> of(String backend) {
            return backend.equals("bucket-mongo") ? List.of(PUSH, POP) : List.of(values());
        }

        String queue() {
            return "to-" + name().toLowerCase(java.util.Locale.ROOT);
        }

        String target() {
            return this == REJECT ? "dead" : "moved";
        }
    }

    static final Duration LEASE = Duration.ofSeconds(3);

    private final PrintStream out =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    private final QueueFactory jono;

    private BusyClient(QueueFactory jono) {
        this.jono = jono;
    }

    static QueueFactory connect(String url) {
        return QueueFactory.builder(url)
                .deadLetter(DeadLetter.after(1_000).queue(Step.REJECT.target()))
                .queueDefaults(QueueOptions.builder()
                        .lease(LEASE)
                        .backoff(Backoff.fixed(Duration.ZERO))
                        .pollInterval(Duration.ofSeconds(1))
                        .build())
                .connect();
    }

    /** Runs until the process is killed; the argument is the URL. */
    public static void main(String[] args) throws InterruptedException {
        BusyClient client = new BusyClient(connect(args[0]));
        for (Step step : Step.of(args[0].substring(0, args[0].indexOf(':')))) {
            new Thread(() -> client.repeat(step), step.queue()).start();
        }
        new CountDownLatch(1).await();
    }

    private void say(String what, Step step, String payload) {
        out.println(what + ' ' + step + ' ' + payload);
    }

    private void repeat(Step step) {
        MessageQueue<String> queue = jono.queue(step.queue(), Codec.string());
        try {
            for (int i = 0; ; i++) {
                switch (step) {
                    case PUSH -> {
                        say("begins", step, "m" + i);
                        queue.push("m" + i);
                        say("done", step, "m" + i);
                    }
                    case POP -> queue.pop(Duration.ofSeconds(5)).ifPresent(m -> say("done", step, m.payload()));
                    default -> {
                        Reservation<String> held =
                                queue.reserve(Duration.ofSeconds(5)).orElse(null);
                        if (held != null) {
                            say("begins", step, held.payload());
                            settle(step, held);
                            say("done", step, held.payload());
                        }
                    }
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void settle(Step step, Reservation<String> held) {
        switch (step) {
            case ACK -> held.ack();
            case RETRY -> held.retry(Duration.ofMillis(1));
            case RELEASE -> held.release();
            case EXTEND -> held.extend(LEASE);
            case REJECT -> held.reject("not wanted");
            case MOVE -> held.moveTo(step.target());
            default -> throw new IllegalArgumentException(step.name());
        }
    }
}
