package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.JonoClock;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import dev.jono.benchmarks.PostgresLoop.Steps;
import dev.jono.testkit.server.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;

/** Rows on PostgreSQL. Throughput is compared with {@link PostgresLoop} on the same server, which syncs its files. */
final class PostgresRows {
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final int LIST = 500;
    /** Both processes compile for about 20 s at 100 messages/s. */
    private static final int WAKE_UP_WARM_UP = 2_000;

    private final int rounds;
    private final double scale;
    private final byte[] payload = new byte[200];

    PostgresRows(int rounds, double scale) {
        this.rounds = rounds;
        this.scale = scale;
    }

    /** Adds these rows to all rows. */
    void addTo(Map<String, Callable<Row>> rows) {
        for (Steps steps : Steps.values()) {
            rows.put(id("postgres-push-64", steps), () -> push64(steps));
            rows.put(id("postgres-reserve-ack-64", steps), () -> reserveAck64(steps));
            rows.put(id("postgres-push-500", steps), () -> pushLists(steps));
            rows.put(id("postgres-reserve-ack-500", steps), () -> reserveAckLists(steps));
        }
        rows.put("postgres-backlog", this::backlog);
        rows.put("postgres-held-vacuum", this::heldVacuum);
        rows.put("postgres-churn", this::churn);
        rows.put("postgres-wake-up", this::wakeUp);
    }

    private static String id(String row, Steps steps) {
        return row + (steps == Steps.ALIKE ? "-alike" : "-loop");
    }

    private int count(int messages, int unit) {
        return Math.max(1, (int) (messages * scale) / unit) * unit;
    }

    /** The queue and the loop, in one database. */
    private static final class BothSides implements AutoCloseable {
        final PostgresServer server = PostgresServer.builder().durable().start();
        final QueueFactory jono = QueueFactory.connect(Testbed.url(server));
        final MessageQueue<byte[]> queue = jono.queue("bench", Codec.bytes());
        final PostgresLoop loop;

        BothSides(Steps steps) throws SQLException {
            this.loop = new PostgresLoop(server.url(), steps);
        }

        @Override
        public void close() throws SQLException {
            loop.close();
            jono.close();
            server.close();
        }
    }

    /** One round of Jono; returns the number of messages. */
    private interface Work {
        long on(BothSides sides) throws Exception;
    }

    private Row push64(Steps steps) throws Exception {
        int messages = count(64_000, 64);
        return push(
                "postgres-push-64",
                steps,
                "64 calls in flight",
                32,
                messages,
                sides -> Callers.inFlight(64, messages, () -> sides.queue.pushAsync(payload)));
    }

    private Row pushLists(Steps steps) throws Exception {
        int messages = count(100_000, LIST);
        List<byte[]> list = Collections.nCopies(LIST, payload);
        return push("postgres-push-500", steps, "lists of 500", LIST, messages, sides -> {
            for (int i = 0; i < messages / LIST; i++) {
                sides.queue.pushAll(list);
            }
            return messages;
        });
    }

    private Row push(String row, Steps steps, String how, int perStatement, int messages, Work ours) throws Exception {
        try (BothSides sides = new BothSides(steps)) {
            Interleaved.warmUp(5, () -> ours.on(sides));
            Interleaved.Comparison result = Interleaved.rates(
                    rounds, () -> ours.on(sides), () -> sides.loop.push(messages, perStatement, payload));
            return Row.ratio(id(row, steps), "postgres push, " + how + loopText(perStatement, steps), 0.8, result);
        }
    }

    private static String loopText(int perStatement, Steps steps) {
        return String.format(
                " / JDBC loop, %d per statement%s",
                perStatement, steps == Steps.ALIKE ? ", with the same fields and steps" : "");
    }

    private Row reserveAck64(Steps steps) throws Exception {
        int messages = count(64_000, 64);
        return reserveAck(
                "postgres-reserve-ack-64",
                steps,
                "64 calls in flight",
                32,
                messages,
                sides -> Callers.inFlight(
                        64,
                        messages,
                        () -> sides.queue
                                .reserveAsync(WAIT)
                                .thenCompose(got -> got.orElseThrow().ackAsync())));
    }

    private Row reserveAckLists(Steps steps) throws Exception {
        int messages = count(100_000, LIST);
        return reserveAck("postgres-reserve-ack-500", steps, "lists of 500", LIST, messages, sides -> {
            long done = 0;
            while (done < messages) {
                List<Reservation<byte[]>> got = sides.queue.reserve((int) Math.min(LIST, messages - done), WAIT);
                sides.queue.ackAll(got);
                done += got.size();
            }
            return done;
        });
    }

    private Row reserveAck(String row, Steps steps, String how, int perStatement, int messages, Work ours)
            throws Exception {
        try (BothSides sides = new BothSides(steps)) {
            Interleaved.Measure filled = Interleaved.timedAfter(() -> {
                SteadyBacklog.fill(sides.queue, payload, messages);
                sides.loop.push(messages, 1000, payload);
            });
            for (int round = 0; round < 5; round++) {
                filled.of(() -> ours.on(sides));
            }
            Interleaved.Comparison result = Interleaved.run(
                    rounds,
                    filled,
                    () -> ours.on(sides),
                    () -> sides.loop.reserveAck(messages, perStatement),
                    (a, b) -> a / b);
            return Row.ratio(
                    id(row, steps), "postgres reserve+ack, " + how + loopText(perStatement, steps), 0.8, result);
        }
    }

    /** Reserve+ack in lists of 100 with a long backlog, compared with a short one. */
    private Row backlog() throws Exception {
        int deep = count(2_000_000, 1000);
        int messages = count(20_000, 1000);
        try (Testbed testbed = Testbed.postgres()) {
            MessageQueue<byte[]> big = testbed.jono().queue("big", Codec.bytes());
            MessageQueue<byte[]> small = testbed.jono().queue("small", Codec.bytes());
            SteadyBacklog.fill(big, payload, deep);
            SteadyBacklog.fill(small, payload, 1000);
            Interleaved.Comparison result = Interleaved.rates(
                    rounds, () -> SteadyBacklog.run(big, messages), () -> SteadyBacklog.run(small, messages));
            return Row.ratio(
                    "postgres-backlog",
                    String.format("postgres reserve+ack and push with a backlog of %,d / of 1,000", deep),
                    0.8,
                    result);
        }
    }

    /**
     * A transaction that is open elsewhere keeps vacuum from removing the rows of acked messages. Compares the last minutes of
     * such a time with its beginning.
     */
    private Row heldVacuum() throws Exception {
        Duration length =
                Duration.ofMillis((long) (scale * Duration.ofMinutes(5).toMillis()));
        try (Testbed testbed = Testbed.postgres();
                Connection elsewhere = DriverManager.getConnection(testbed.url().substring("postgres:".length()));
                Statement statement = elsewhere.createStatement()) {
            MessageQueue<byte[]> queue = testbed.jono().queue("bench", Codec.bytes());
            SteadyBacklog.fill(queue, payload, 1000);
            Interleaved.warmUp(5, () -> SteadyBacklog.run(queue, 5_000));
            elsewhere.setAutoCommit(false);
            elsewhere.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            statement.executeQuery("SELECT count(*) FROM pg_class").close();
            Windows windows = Windows.run(length, 5, () -> SteadyBacklog.run(queue, 1_000));
            elsewhere.rollback();
            return windows.row(
                    "postgres-held-vacuum",
                    String.format(
                            "postgres reserve+ack and push at full speed, while a transaction elsewhere is open for %d s:"
                                    + " the last fifth of the time / the first",
                            length.toSeconds()),
                    0.8);
        }
    }

    /** Churn at half the maximum: the rate that the storage would allow must not fall while rows come and go. */
    private Row churn() throws Exception {
        Duration length = Duration.ofMillis((long) (scale * Duration.ofHours(1).toMillis()));
        try (Testbed testbed = Testbed.postgres()) {
            MessageQueue<byte[]> queue = testbed.jono().queue("bench", Codec.bytes());
            SteadyBacklog.fill(queue, payload, 1000);
            Interleaved.warmUp(8, () -> SteadyBacklog.run(queue, 5_000));
            Windows windows = Windows.run(length, 60, () -> {
                long start = JonoClock.system().nanos();
                long done = SteadyBacklog.run(queue, 1_000);
                // As long as the work took: half the maximum.
                long took = JonoClock.system().nanos() - start;
                Pauses.pauseUntil(start + 2 * took);
                return done;
            });
            return windows.row(
                    "postgres-churn",
                    String.format(
                            "postgres reserve+ack and push for %d s, idle for half of the time: the last sixtieth / the first",
                            length.toSeconds()),
                    0.8);
        }
    }

    private Row wakeUp() throws Exception {
        int messages = (int) Math.max(200, 1_000 * scale);
        List<Histogram> all = new ArrayList<>();
        try (Testbed testbed = Testbed.postgres();
                ChildProcess consumer = ChildProcess.jvm(PacedMessages.class, testbed.url(), PacedMessages.RESERVE)) {
            MessageQueue<String> queue = testbed.jono().queue(PacedMessages.QUEUE, Codec.string());
            consumer.line();
            PacedMessages.push(queue, WAKE_UP_WARM_UP);
            PacedMessages.delays(consumer::line, WAKE_UP_WARM_UP);
            for (int round = 0; round < rounds; round++) {
                PacedMessages.push(queue, messages);
                all.add(PacedMessages.delays(consumer::line, messages));
            }
        }
        Histogram sum = PacedMessages.sum(all);
        double p50 = PacedMessages.millis(sum, 50);
        double p99 = PacedMessages.millis(sum, 99);
        return new Row(
                "postgres-wake-up",
                "postgres push to reserve in another process, 100 messages/s, signals by NOTIFY",
                "p50 at most 3 ms, p99 at most 15 ms",
                p50 <= 3 && p99 <= 15,
                String.format(
                        "p50 %.2f ms, p99 %.2f ms, max %.2f ms over %,d messages",
                        p50, p99, PacedMessages.millis(sum, 100), sum.getTotalCount()),
                Map.of("ours", PacedMessages.figures(sum)));
    }
}
