package dev.jono.testkit;

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
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/**
 * A process that runs several steps at once, each on a queue of its own, and prints which steps it begins and completes.
 */
final class BusyClient {
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

    static ChildJvm start(String url, Set<Step> steps) {
        return ChildJvm.start(
                BusyClient.class,
                Stream.concat(Stream.of(url), steps.stream().map(Step::name)).toArray(String[]::new));
    }

    /** Runs until the process is killed; the arguments are the URL and the names of the steps. */
    public static void main(String[] args) throws InterruptedException {
        BusyClient client = new BusyClient(connect(args[0]));
        for (String name : List.of(args).subList(1, args.length)) {
            Step step = Step.valueOf(name);
            new Thread(() -> client.repeat(step), step.queue()).start();
        }
        new CountDownLatch(1).await();
    }

    private void print(String what, Step step, String payload) {
        out.println(what + ' ' + step + ' ' + payload);
    }

    private void repeat(Step step) {
        MessageQueue<String> queue = jono.queue(step.queue(), Codec.string());
        try {
            for (int i = 0; ; i++) {
                switch (step) {
                    case PUSH -> {
                        print("begins", step, "m" + i);
                        queue.push("m" + i);
                        print("done", step, "m" + i);
                    }
                    case POP -> queue.pop(Duration.ofSeconds(5)).ifPresent(m -> print("done", step, m.payload()));
                    default -> {
                        Reservation<String> held =
                                queue.reserve(Duration.ofSeconds(5)).orElse(null);
                        if (held != null) {
                            print("begins", step, held.payload());
                            settle(step, held);
                            print("done", step, held.payload());
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
