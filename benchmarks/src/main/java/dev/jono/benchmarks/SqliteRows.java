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
import java.util.concurrent.atomic.AtomicLong;

/** The sqlite backend, durability full, against the plain JDBC loop. */
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

    /** Both sides, each in a file of its own in one folder. */
    private static final class Table implements AutoCloseable {
        final Path folder = Files.createTempDirectory("jono-bench");
        final QueueFactory jono = QueueFactory.connect("sqlite:" + folder.resolve("jono.db"));
        final MessageQueue<byte[]> queue = jono.queue("bench", Codec.bytes());
        final JdbcLoop loop = new JdbcLoop(folder.resolve("loop.db"));
        final Callers callers = new Callers();

        Table() throws IOException, SQLException {}

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
        try (Table t = new Table()) {
            Duel.Comparison result = Duel.rates(
                    rounds,
                    () -> Callers.inFlight(64, messages, () -> t.queue.pushAsync(payload)),
                    () -> t.loop.push(messages, 32, payload));
            return Row.ratio(
                    "sqlite-push-64", "sqlite push, 64 calls in flight / JDBC loop, 32 a transaction", 0.8, result);
        }
    }

    Row push64Threads() throws Exception {
        int messages = count(64_000, 64);
        try (Table t = new Table()) {
            Duel.Comparison result = Duel.rates(
                    rounds,
                    () -> t.callers.sum(64, () -> {
                        for (int i = 0; i < messages / 64; i++) {
                            t.queue.push(payload);
                        }
                        return (long) messages / 64;
                    }),
                    () -> t.loop.push(messages, 32, payload));
            return Row.ratio(
                    "sqlite-push-64-threads",
                    "sqlite push, 64 threads that block (reported) / JDBC loop, 32 a transaction",
                    0,
                    result);
        }
    }

    Row reserveAck64() throws Exception {
        int messages = count(64_000, 64);
        try (Table t = new Table()) {
            Duel.Comparison result = Duel.run(
                    rounds,
                    Duel.timedAfter(() -> {
                        TurnOver.fill(t.queue, payload, messages);
                        t.loop.push(messages, 1000, payload);
                    }),
                    () -> Callers.inFlight(
                            64,
                            messages,
                            () -> t.queue
                                    .reserveAsync(WAIT)
                                    .thenCompose(got -> got.orElseThrow().ackAsync())),
                    () -> t.loop.reserveAck(messages, 32),
                    (a, b) -> a / b);
            return Row.ratio(
                    "sqlite-reserve-ack-64",
                    "sqlite reserve+ack, 64 calls in flight / JDBC loop, 32 a transaction",
                    0.8,
                    result);
        }
    }

    Row reserveAck64Threads() throws Exception {
        int messages = count(64_000, 64);
        try (Table t = new Table()) {
            Duel.Comparison result = Duel.run(
                    rounds,
                    Duel.timedAfter(() -> {
                        TurnOver.fill(t.queue, payload, messages);
                        t.loop.push(messages, 1000, payload);
                    }),
                    () -> reserveAckSingles(t, messages),
                    () -> t.loop.reserveAck(messages, 32),
                    (a, b) -> a / b);
            return Row.ratio(
                    "sqlite-reserve-ack-64-threads",
                    "sqlite reserve+ack, 64 threads that block (reported) / JDBC loop, 32 a transaction",
                    0,
                    result);
        }
    }

    private static long reserveAckSingles(Table t, int messages) throws Exception {
        AtomicLong left = new AtomicLong(messages);
        return t.callers.sum(64, () -> {
            long done = 0;
            while (left.getAndDecrement() > 0) {
                t.queue.reserve(WAIT).orElseThrow().ack();
                done++;
            }
            return done;
        });
    }

    Row pushLists() throws Exception {
        int messages = count(100_000, 1000);
        List<byte[]> list = Collections.nCopies(1000, payload);
        try (Table t = new Table()) {
            Duel.Comparison result = Duel.rates(
                    rounds,
                    () -> {
                        for (int i = 0; i < messages / 1000; i++) {
                            t.queue.pushAll(list);
                        }
                        return messages;
                    },
                    () -> t.loop.push(messages, 1000, payload));
            return Row.ratio(
                    "sqlite-push-1000", "sqlite push, lists of 1,000 / JDBC loop, 1,000 a transaction", 0.7, result);
        }
    }

    Row reserveAckLists() throws Exception {
        int messages = count(100_000, 1000);
        try (Table t = new Table()) {
            Duel.Comparison result = Duel.run(
                    rounds,
                    Duel.timedAfter(() -> {
                        TurnOver.fill(t.queue, payload, messages);
                        t.loop.push(messages, 1000, payload);
                    }),
                    () -> reserveAckLists(t.queue, messages),
                    () -> t.loop.reserveAck(messages, 1000),
                    (a, b) -> a / b);
            return Row.ratio(
                    "sqlite-reserve-ack-1000",
                    "sqlite reserve+ack, lists of 1,000 / JDBC loop, 1,000 a transaction",
                    0.7,
                    result);
        }
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

    Row pushOne() throws Exception {
        int messages = count(2_000, 1);
        try (Table t = new Table()) {
            Duel.Comparison result = Duel.rates(
                    rounds,
                    () -> {
                        for (int i = 0; i < messages; i++) {
                            t.queue.push(payload);
                        }
                        return messages;
                    },
                    () -> t.loop.push(messages, 1, payload));
            return Row.ratio("sqlite-push-1", "sqlite push, one caller / JDBC loop, one a transaction", 0.8, result);
        }
    }

    /** Reserve+ack in lists of 100, over a long backlog and over a short one; every message done is replaced. */
    Row backlog() throws Exception {
        int deep = count(1_000_000, 1000);
        int messages = count(20_000, 1000);
        try (Table big = new Table();
                Table small = new Table()) {
            TurnOver.fill(big.queue, payload, deep);
            TurnOver.fill(small.queue, payload, 1000);
            Duel.Comparison result = Duel.rates(
                    rounds, () -> TurnOver.run(big.queue, messages), () -> TurnOver.run(small.queue, messages));
            return Row.ratio(
                    "sqlite-backlog",
                    String.format("sqlite reserve+ack with a backlog of %,d / of 1,000", deep),
                    0.8,
                    result);
        }
    }
}
