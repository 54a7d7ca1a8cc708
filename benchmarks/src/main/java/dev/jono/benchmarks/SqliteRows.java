package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** Rows that compare the sqlite backend with {@link JdbcLoop}, both with full durability. */
final class SqliteRows {
    private static final Duration WAIT = Duration.ofSeconds(10);

    private final int rounds;
    private final double scale;
    private final byte[] payload = new byte[200];

    SqliteRows(int rounds, double scale) {
        this.rounds = rounds;
        this.scale = scale;
    }

    private int count(int messages, int unit) {
        return Math.max(1, (int) (messages * scale) / unit) * unit;
    }

    /** The queue and the loop, each with a file of its own in one folder. */
    private static final class BothSides implements AutoCloseable {
        final Path folder = Files.createTempDirectory("jono-bench");
        final QueueFactory jono = QueueFactory.connect("sqlite:" + folder.resolve("jono.db"));
        final MessageQueue<byte[]> queue = jono.queue("bench", Codec.bytes());
        final JdbcLoop loop = new JdbcLoop(folder.resolve("loop.db"));
        final Callers callers = new Callers();

        BothSides() throws IOException, SQLException {}

        @Override
        public void close() throws IOException, SQLException {
            callers.close();
            jono.close();
            loop.close();
            Folders.delete(folder);
        }
    }

    Row push64() throws Exception {
        int messages = count(64_000, 64);
        return push(
                "sqlite-push-64",
                "64 calls in flight",
                0.8,
                32,
                messages,
                sides -> Callers.inFlight(64, messages, () -> sides.queue.pushAsync(payload)));
    }

    Row push64Threads() throws Exception {
        int messages = count(64_000, 64);
        return push(
                "sqlite-push-64-threads",
                "64 threads that block (no target)",
                0,
                32,
                messages,
                sides -> sides.callers.sum(64, () -> pushSingles(sides, messages / 64)));
    }

    Row pushLists() throws Exception {
        int messages = count(100_000, 1000);
        List<byte[]> list = Collections.nCopies(1000, payload);
        return push("sqlite-push-1000", "lists of 1,000", 0.7, 1000, messages, sides -> {
            for (int i = 0; i < messages / 1000; i++) {
                sides.queue.pushAll(list);
            }
            return messages;
        });
    }

    Row pushOne() throws Exception {
        int messages = count(2_000, 1);
        return push("sqlite-push-1", "one caller", 0.8, 1, messages, sides -> pushSingles(sides, messages));
    }

    /** How much speed the loop keeps if another thread does its work: the cost of the hand-over alone. */
    Row loopHandedOver() throws Exception {
        int messages = count(2_000, 1);
        ExecutorService other = Executors.newSingleThreadExecutor();
        try (BothSides sides = new BothSides()) {
            Interleaved.Comparison result = Interleaved.rates(
                    rounds,
                    () -> {
                        for (int i = 0; i < messages; i++) {
                            other.submit(() -> sides.loop.push(1, 1, payload)).get();
                        }
                        return messages;
                    },
                    () -> sides.loop.push(messages, 1, payload));
            return Row.ratio(
                    "loop-handed-over",
                    "JDBC loop, one per transaction, each on another thread (no target) / JDBC loop",
                    0,
                    result);
        } finally {
            other.shutdown();
        }
    }

    /** One round of Jono; returns the number of messages. */
    private interface Work {
        long on(BothSides sides) throws Exception;
    }

    private static String loopText(int perTransaction) {
        return String.format(
                " / JDBC loop, %s per transaction", perTransaction == 1 ? "one" : String.format("%,d", perTransaction));
    }

    private Row push(String id, String how, double atLeast, int perTransaction, int messages, Work ours)
            throws Exception {
        try (BothSides sides = new BothSides()) {
            Interleaved.Comparison result = Interleaved.rates(
                    rounds, () -> ours.on(sides), () -> sides.loop.push(messages, perTransaction, payload));
            return Row.ratio(id, "sqlite push, " + how + loopText(perTransaction), atLeast, result);
        }
    }

    private long pushSingles(BothSides sides, int messages) {
        for (int i = 0; i < messages; i++) {
            sides.queue.push(payload);
        }
        return messages;
    }

    Row reserveAck64() throws Exception {
        int messages = count(64_000, 64);
        return reserveAck(
                "sqlite-reserve-ack-64",
                "64 calls in flight",
                0.8,
                32,
                messages,
                sides -> Callers.inFlight(
                        64,
                        messages,
                        () -> sides.queue
                                .reserveAsync(WAIT)
                                .thenCompose(got -> got.orElseThrow().ackAsync())));
    }

    Row reserveAck64Threads() throws Exception {
        int messages = count(64_000, 64);
        return reserveAck(
                "sqlite-reserve-ack-64-threads",
                "64 threads that block (no target)",
                0,
                32,
                messages,
                sides -> reserveAckSingles(sides, messages));
    }

    Row reserveAckLists() throws Exception {
        int messages = count(100_000, 1000);
        return reserveAck(
                "sqlite-reserve-ack-1000",
                "lists of 1,000",
                0.7,
                1000,
                messages,
                sides -> reserveAckLists(sides.queue, messages));
    }

    private Row reserveAck(String id, String how, double atLeast, int perTransaction, int messages, Work ours)
            throws Exception {
        try (BothSides sides = new BothSides()) {
            Interleaved.Comparison result = Interleaved.run(
                    rounds,
                    Interleaved.timedAfter(() -> {
                        SteadyBacklog.fill(sides.queue, payload, messages);
                        sides.loop.push(messages, 1000, payload);
                    }),
                    () -> ours.on(sides),
                    () -> sides.loop.reserveAck(messages, perTransaction),
                    (a, b) -> a / b);
            return Row.ratio(id, "sqlite reserve+ack, " + how + loopText(perTransaction), atLeast, result);
        }
    }

    private static long reserveAckSingles(BothSides sides, int messages) throws Exception {
        AtomicLong left = new AtomicLong(messages);
        return sides.callers.sum(64, () -> {
            long done = 0;
            while (left.getAndDecrement() > 0) {
                sides.queue.reserve(WAIT).orElseThrow().ack();
                done++;
            }
            return done;
        });
    }

    private static long reserveAckLists(MessageQueue<byte[]> queue, int messages) throws Exception {
        long done = 0;
        while (done < messages) {
            List<Reservation<byte[]>> got = queue.reserve((int) Math.min(1000, messages - done), WAIT);
            queue.ackAll(got);
            done += got.size();
        }
        return done;
    }

    /** Reserve+ack in lists of 100 with a long backlog, compared with a short one. */
    Row backlog() throws Exception {
        int deep = count(1_000_000, 1000);
        int messages = count(20_000, 1000);
        try (BothSides big = new BothSides();
                BothSides small = new BothSides()) {
            SteadyBacklog.fill(big.queue, payload, deep);
            SteadyBacklog.fill(small.queue, payload, 1000);
            Interleaved.Comparison result = Interleaved.rates(
                    rounds,
                    () -> SteadyBacklog.run(big.queue, messages),
                    () -> SteadyBacklog.run(small.queue, messages));
            return Row.ratio(
                    "sqlite-backlog",
                    String.format("sqlite reserve+ack with a backlog of %,d / of 1,000", deep),
                    0.8,
                    result);
        }
    }
}
