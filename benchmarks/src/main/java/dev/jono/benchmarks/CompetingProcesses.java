package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.JonoClock;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import java.io.BufferedReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Compares four processes that reserve and ack from one queue on MongoDB until it is empty with one such process. The
 * ratio shows how much their claims disturb each other.
 */
final class CompetingProcesses {
    private static final JonoClock CLOCK = JonoClock.system();
    private static final int PROCESSES = 4;
    private static final Duration EMPTY = Duration.ofSeconds(1);
    private static final int WARM_UP_ROUNDS = 3;
    private static final String QUEUE = "competition";

    private CompetingProcesses() {}

    /**
     * Measures the row.
     *
     * @param width from 100 on, one caller per process reserves lists of this many messages; below 100, this many calls
     *     are in flight
     */
    static Row measure(int width, int rounds, int messages) throws Exception {
        NumberedMessages numbered = new NumberedMessages(messages);
        List<ChildProcess> children = new ArrayList<>();
        try (MongoTestbed testbed = new MongoTestbed();
                QueueFactory jono = QueueFactory.connect(testbed.url("mongo", QUEUE))) {
            MessageQueue<String> queue = jono.queue(QUEUE, Codec.string());
            for (int i = 0; i < PROCESSES; i++) {
                children.add(ChildProcess.jvm(
                        List.of("-Xmx256m", "-XX:+UseSerialGC"),
                        CompetingProcesses.class,
                        testbed.url("mongo", QUEUE),
                        Integer.toString(width)));
            }
            for (ChildProcess child : children) {
                child.line();
            }
            MongoLoad all = new MongoLoad(testbed);
            MongoLoad one = new MongoLoad(testbed);
            // Compiling in four new processes at once would take more time than the messages: each warms up alone.
            for (int i = 0; i < WARM_UP_ROUNDS; i++) {
                for (ChildProcess child : children) {
                    rate(queue, numbered, List.of(child), new MongoLoad(testbed));
                }
            }
            Interleaved.Comparison result = compared(rounds, queue, numbered, children, all, one);
            return Row.ratio(
                            "mongo-4-processes-" + width,
                            String.format(
                                    Locale.ROOT,
                                    "mongo reserve+ack by %d processes, %s each / by one",
                                    PROCESSES,
                                    lists(width) ? "lists of " + width : width + " in flight"),
                            0.9,
                            result)
                    .with("allOnMongo", all.figures(), all.toString())
                    .with("oneOnMongo", one.figures(), one.toString());
        } finally {
            for (ChildProcess child : children) {
                child.close();
            }
        }
    }

    private static Interleaved.Comparison compared(
            int rounds,
            MessageQueue<String> queue,
            NumberedMessages numbered,
            List<ChildProcess> children,
            MongoLoad all,
            MongoLoad one)
            throws Exception {
        double[] rate = {0};
        return Interleaved.run(
                rounds,
                work -> {
                    work.run();
                    return rate[0];
                },
                () -> {
                    rate[0] = rate(queue, numbered, children, all);
                    return 0;
                },
                () -> {
                    rate[0] = rate(queue, numbered, children.subList(0, 1), one);
                    return 0;
                },
                (ours, theirs) -> ours / theirs);
    }

    /** Runs one round; returns the messages per second until the last ack. */
    private static double rate(
            MessageQueue<String> queue, NumberedMessages numbered, List<ChildProcess> children, MongoLoad load)
            throws Exception {
        MongoTestbed.requireEmpty(queue);
        MongoTestbed.fill(queue, numbered);
        numbered.restart();
        load.begin();
        long begin = CLOCK.nanos();
        for (ChildProcess child : children) {
            child.send("go");
        }
        long end = begin;
        for (ChildProcess child : children) {
            end = Math.max(end, Long.parseLong(child.line()));
            for (String number : child.line().split(",", -1)) {
                if (!number.isEmpty()) {
                    numbered.arrived(number);
                }
            }
        }
        load.end(numbered.count());
        numbered.requireEachOnce(QUEUE);
        return numbered.count() * 1e9 / (end - begin);
    }

    private static boolean lists(int width) {
        return width >= 100;
    }

    /** A consuming process: prints the time of its last ack and the numbers of its messages. */
    public static void main(String[] arguments) throws Exception {
        int width = Integer.parseInt(arguments[1]);
        BufferedReader orders = ChildProcess.stdin();
        try (QueueFactory jono = QueueFactory.connect(arguments[0])) {
            MessageQueue<String> queue = jono.queue(QUEUE, Codec.string());
            System.out.println("ready");
            while (orders.readLine() != null) {
                ConcurrentLinkedQueue<String> taken = new ConcurrentLinkedQueue<>();
                long last = lists(width) ? inLists(queue, width, taken) : inFlight(queue, width, taken);
                System.out.println(last);
                System.out.println(String.join(",", taken));
            }
        }
    }

    private static void note(ConcurrentLinkedQueue<String> taken, String payload) {
        taken.add(payload.substring(0, 9));
    }

    private static long inLists(MessageQueue<String> queue, int width, ConcurrentLinkedQueue<String> taken)
            throws InterruptedException {
        long last = 0;
        while (true) {
            List<Reservation<String>> got = queue.reserve(width, EMPTY);
            if (got.isEmpty()) {
                return last;
            }
            got.forEach(held -> note(taken, held.payload()));
            queue.ackAll(got);
            last = CLOCK.nanos();
        }
    }

    private static long inFlight(MessageQueue<String> queue, int width, ConcurrentLinkedQueue<String> taken)
            throws Exception {
        AtomicLong last = new AtomicLong();
        List<CompletableFuture<Void>> chains = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            chains.add(next(queue, taken, last));
        }
        CompletableFuture.allOf(chains.toArray(CompletableFuture[]::new)).get();
        return last.get();
    }

    private static CompletableFuture<Void> next(
            MessageQueue<String> queue, ConcurrentLinkedQueue<String> taken, AtomicLong last) {
        return queue.reserveAsync(EMPTY).thenCompose((Optional<Reservation<String>> got) -> {
            if (got.isEmpty()) {
                return CompletableFuture.completedFuture(null);
            }
            note(taken, got.get().payload());
            return got.get().ackAsync().thenCompose(done -> {
                last.accumulateAndGet(CLOCK.nanos(), Math::max);
                return next(queue, taken, last);
            });
        });
    }
}
