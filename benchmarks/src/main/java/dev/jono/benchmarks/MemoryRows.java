package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.JonoClock;
import dev.jono.MessageQueue;
import dev.jono.PayloadKind;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Rows that compare the memory backend with {@code LinkedBlockingQueue}, and a row for the cost of the engine per call. */
final class MemoryRows {
    /** The number of producers, and of consumers. */
    private static final int SIDES = 4;

    private final int rounds;
    private final double scale;
    private final EncodedPayload payload = EncodedPayload.of(PayloadKind.BYTES, new byte[200]);

    MemoryRows(int rounds, double scale) {
        this.rounds = rounds;
        this.scale = scale;
    }

    private int perSide(int messages, int unit) {
        return Math.max(1, (int) (messages * scale / SIDES) / unit) * unit;
    }

    Row lists() throws Exception {
        Interleaved.Comparison result = handOver(perSide(1_000_000, 100), 100);
        return Row.ratio(
                "memory-lists",
                "memory push+reserve+ack, 4 producers, 4 consumers, lists of 100 / LinkedBlockingQueue",
                0.1,
                result);
    }

    /** Has no target. */
    Row singles() throws Exception {
        Interleaved.Comparison result = handOver(perSide(200_000, 100), 1);
        return Row.ratio(
                "memory-singles",
                "memory push+reserve+ack, 4 producers, 4 consumers, single calls / LinkedBlockingQueue",
                0,
                result);
    }

    private Interleaved.Comparison handOver(int perProducer, int list) throws Exception {
        try (QueueFactory jono = QueueFactory.connect("memory:");
                Callers callers = new Callers()) {
            MessageQueue<EncodedPayload> queue = jono.queue("bench", Codec.raw());
            return Interleaved.rates(
                    rounds,
                    () -> callers.sum(sides(
                            () -> produce(queue, perProducer, list), left -> consume(queue, left, list), perProducer)),
                    () -> {
                        LinkedBlockingQueue<EncodedPayload> plain = new LinkedBlockingQueue<>();
                        return callers.sum(sides(
                                () -> produce(plain, perProducer), left -> consume(plain, left, list), perProducer));
                    });
        }
    }

    private interface Consumer {
        long consume(AtomicLong left) throws Exception;
    }

    private static List<Callable<Long>> sides(Callable<Long> producer, Consumer consumer, int perProducer) {
        AtomicLong left = new AtomicLong((long) perProducer * SIDES);
        List<Callable<Long>> all = new ArrayList<>();
        for (int i = 0; i < SIDES; i++) {
            all.add(producer);
            all.add(() -> consumer.consume(left));
        }
        return all;
    }

    private long produce(MessageQueue<EncodedPayload> queue, int messages, int list) {
        List<EncodedPayload> payloads = Collections.nCopies(list, payload);
        for (int i = 0; i < messages; i += list) {
            if (list == 1) {
                queue.push(payload);
            } else {
                queue.pushAll(payloads);
            }
        }
        return 0;
    }

    private static long consume(MessageQueue<EncodedPayload> queue, AtomicLong left, int list) throws Exception {
        long done = 0;
        while (left.get() > 0) {
            List<Reservation<EncodedPayload>> got = queue.reserve(list, Duration.ofMillis(50));
            if (list == 1 && !got.isEmpty()) {
                got.get(0).ack();
            } else {
                queue.ackAll(got);
            }
            left.addAndGet(-got.size());
            done += got.size();
        }
        return done;
    }

    private long produce(LinkedBlockingQueue<EncodedPayload> queue, int messages) throws InterruptedException {
        for (int i = 0; i < messages; i++) {
            queue.put(payload);
        }
        return 0;
    }

    private static long consume(LinkedBlockingQueue<EncodedPayload> queue, AtomicLong left, int list) throws Exception {
        long done = 0;
        List<EncodedPayload> got = new ArrayList<>();
        while (left.get() > 0) {
            EncodedPayload first = queue.poll(50, java.util.concurrent.TimeUnit.MILLISECONDS);
            if (first == null) {
                continue;
            }
            got.clear();
            got.add(first);
            queue.drainTo(got, list - 1);
            left.addAndGet(-got.size());
            done += got.size();
        }
        return done;
    }

    /** The median time of a push, a reserve and an ack, minus that of an insert, a claim and an ack without the engine. */
    Row engineCost() throws Exception {
        int calls = (int) Math.max(2_000, 100_000 * scale);
        try (QueueFactory jono = QueueFactory.connect("memory:");
                BareStore bare = BareStore.memory()) {
            MessageQueue<EncodedPayload> queue = jono.queue("bench", Codec.raw());
            double[] engine = new double[3];
            double[] storage = new double[3];
            for (int round = 0; round <= rounds; round++) {
                double[] through = medians(calls, queue);
                double[] without = bare.medians(calls, payload);
                if (round > 0) {
                    for (int i = 0; i < 3; i++) {
                        engine[i] += through[i] / rounds;
                        storage[i] += without[i] / rounds;
                    }
                }
            }
            double worst = 0;
            for (int i = 0; i < 3; i++) {
                worst = Math.max(worst, engine[i] - storage[i]);
            }
            return new Row(
                    "engine-cost",
                    "cost of the engine for one call at a time, without the cost of the storage call",
                    "at most 10 µs median",
                    worst <= 10,
                    String.format(
                            "push %.2f µs, reserve %.2f µs, ack %.2f µs; the storage calls alone: %.2f, %.2f, %.2f µs",
                            engine[0] - storage[0],
                            engine[1] - storage[1],
                            engine[2] - storage[2],
                            storage[0],
                            storage[1],
                            storage[2]),
                    Map.of("engineMicros", engine, "bareMicros", storage));
        }
    }

    private double[] medians(int calls, MessageQueue<EncodedPayload> queue) throws Exception {
        JonoClock clock = JonoClock.system();
        long[][] nanos = new long[3][calls];
        for (int i = 0; i < calls; i++) {
            long start = clock.nanos();
            queue.push(payload);
            long pushed = clock.nanos();
            Reservation<EncodedPayload> got = queue.reserve(Duration.ZERO).orElseThrow();
            long reserved = clock.nanos();
            got.ack();
            nanos[2][i] = clock.nanos() - reserved;
            nanos[1][i] = reserved - pushed;
            nanos[0][i] = pushed - start;
        }
        return medians(nanos);
    }

    static double[] medians(long[][] nanos) {
        double[] medians = new double[nanos.length];
        for (int i = 0; i < nanos.length; i++) {
            Arrays.sort(nanos[i]);
            medians[i] = nanos[i][nanos[i].length / 2] / 1000.0;
        }
        return medians;
    }
}
