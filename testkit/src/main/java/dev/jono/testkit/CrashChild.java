package dev.jono.testkit;

import dev.jono.Backoff;
import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.pipeline.Outcome;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * The child process of {@link CrashContract}. It prints a line for each step, so that the test knows what it has done.
 */
final class CrashChild {
    static final int POISONED = 137;
    private static final int BATCH = 20;

    /** Not System.out, which belongs to the test runner. */
    private final PrintStream out =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private final QueueFactory jono;
    private final QueueOptions terms;
    private final MessageQueue<String> queue;

    private CrashChild(String url, String namespace, long leaseMillis) {
        this.jono = QueueFactory.builder(url).namespace(namespace).connect();
        this.terms = options(leaseMillis);
        this.queue = jono.queue("orders", Codec.string(), terms);
    }

    static QueueOptions options(long leaseMillis) {
        return QueueOptions.builder()
                .lease(Duration.ofMillis(leaseMillis))
                .backoff(Backoff.fixed(Duration.ZERO))
                .pollInterval(Duration.ofSeconds(1))
                .deadLetter(DeadLetter.after(3))
                .build();
    }

    /** Options of the same consumers for a queue with ordering keys. */
    static QueueOptions keyedOptions(QueueOptions terms) {
        return QueueOptions.builder()
                .keyed()
                .deadLetter(DeadLetter.never())
                .build()
                .orElse(terms);
    }

    /** Arguments: role, URL, namespace, and the lease in milliseconds. */
    public static void main(String[] args) throws Exception {
        CrashChild child = new CrashChild(args[1], args[2], Long.parseLong(args[3]));
        switch (args[0]) {
            case "push" -> child.push();
            case "trickle" -> child.trickle();
            case "pop" -> child.pop();
            case "consume" -> child.consume();
            case "hold" -> child.hold();
            case "batches" -> child.batches();
            case "work" -> child.work();
            case "keyed" -> child.keyed();
            case "pipeline" -> child.pipeline();
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private void say(String line) {
        out.println(line);
    }

    /** Pushes until it is killed, with pauses in which the queue becomes empty. */
    private void trickle() {
        Random random = new Random(1);
        for (int n = 0; ; n++) {
            queue.push("m" + n);
            say("acked m" + n);
            if (n % 5 == 0) {
                LockSupport.parkNanos(random.nextInt(10_000_000));
            }
        }
    }

    /** Pushes until it is killed: one message, then a list. */
    private void push() {
        for (int n = 0; ; n += BATCH) {
            say("pushing m" + n);
            queue.push("m" + n);
            say("acked m" + n);
            List<String> list = new ArrayList<>();
            for (int i = n + 1; i < n + BATCH; i++) {
                list.add("m" + i);
                say("pushing m" + i);
            }
            queue.pushAll(list);
            list.forEach(payload -> say("acked " + payload));
        }
    }

    private void pop() throws InterruptedException {
        say("ready");
        while (true) {
            for (Message<String> message : queue.pop(3, Duration.ofSeconds(10))) {
                say("popped " + message.payload());
            }
        }
    }

    /** Reserves and acks messages one by one. */
    private void consume() throws InterruptedException {
        say("ready");
        while (true) {
            Optional<Reservation<String>> found = queue.reserve(Duration.ofSeconds(10));
            if (found.isPresent()) {
                say("acking " + found.get().payload());
                found.get().ack();
                say("acked " + found.get().payload());
            }
        }
    }

    /** Reserves all messages that it can get, and holds them. */
    private void hold() throws InterruptedException {
        for (Reservation<String> held : queue.reserve(100, Duration.ofSeconds(10))) {
            say("holding " + held.payload());
        }
        say("held");
        new CountDownLatch(1).await();
    }

    /** Handles messages in batches. The poison message kills the process in the middle of its batch. */
    private void batches() throws InterruptedException {
        while (true) {
            List<Reservation<String>> batch = queue.reserve(32, Duration.ofMillis(500));
            if (batch.stream().anyMatch(r -> r.payload().equals("poison"))) {
                say("dying");
                Runtime.getRuntime().halt(POISONED);
            }
            if (batch.isEmpty()) {
                say("empty");
                jono.close();
                return;
            }
            queue.ackAll(batch);
            batch.forEach(r -> say("acked " + r.payload()));
        }
    }

    /**
     * Handles batches of a queue with ordering keys. Before each ack it pushes the message to the queue {@code log}, whose order
     * is that of all processes.
     */
    private void keyed() throws InterruptedException {
        MessageQueue<String> keyed = jono.queue("keyed", Codec.string(), keyedOptions(terms));
        MessageQueue<String> log = jono.queue("log", Codec.string());
        say("ready");
        while (true) {
            for (Reservation<String> message : keyed.reserve(5, Duration.ofSeconds(10))) {
                log.push(message.payload());
                say("handled " + message.payload());
                message.ack();
            }
        }
    }

    private void work() throws InterruptedException {
        jono.worker()
                .concurrency(4)
                .prefetch(4)
                .from(queue, (payload, delivery) -> say("handled " + payload))
                .start();
        say("ready");
        new CountDownLatch(1).await();
    }

    private void pipeline() throws InterruptedException {
        MessageQueue<String> middle = jono.queue("middle", Codec.string(), terms);
        MessageQueue<String> end = jono.queue("end", Codec.string());
        jono.pipeline("shop")
                .concurrency(4)
                .direct(queue, middle, (payload, message) -> Outcome.next())
                .direct(middle, end, (payload, message) -> {
                    say("through " + payload);
                    return Outcome.next();
                })
                .start();
        say("ready");
        new CountDownLatch(1).await();
    }
}
