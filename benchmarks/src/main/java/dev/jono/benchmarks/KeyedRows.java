package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/**
 * Rows that compare queues with ordering keys, and pushes with unique keys, with the same work without them. Both sides of a row
 * share one storage.
 */
final class KeyedRows {
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final int IN_FLIGHT = 64;
    private static final int KEYS = 10_000;
    private static final int LIST = 1000;
    private static final String PAYLOAD = "x".repeat(200);

    private final int rounds;
    private final double scale;

    KeyedRows(int rounds, double scale) {
        this.rounds = rounds;
        this.scale = scale;
    }

    /** Adds these rows to all rows. */
    void addTo(Map<String, Callable<Row>> rows) {
        add(rows, "sqlite", Testbed::sqlite, 64_000);
        add(rows, "redis-oq", Testbed::redis, 100_000);
        add(rows, "mongo", Testbed::mongo, 64_000);
        add(rows, "postgres", Testbed::postgres, 64_000);
    }

    private void add(Map<String, Callable<Row>> rows, String backend, Callable<Testbed> opener, int messages) {
        int count = count(messages);
        rows.put(backend + "-keyed-64", () -> keyed(backend, opener, count));
        rows.put(backend + "-keyed-many-keys", () -> manyKeys(backend, opener));
        rows.put(backend + "-keyed-hot-key", () -> hotKey(backend, opener, count));
        rows.put(backend + "-unique-push-64", () -> unique(backend, opener, count));
    }

    private int count(int messages) {
        return Math.max(LIST, (int) (messages * scale) / LIST * LIST);
    }

    private static MessageQueue<String> keyed(QueueFactory jono, String name) {
        return jono.queue(name, Codec.string(), QueueOptions.builder().keyed().build());
    }

    private static MessageQueue<String> plain(QueueFactory jono, String name) {
        return jono.queue(name, Codec.string());
    }

    private static PushOptions key(int number) {
        return PushOptions.none().key("key-" + number);
    }

    /** Pushes messages with 64 calls in flight. */
    private static void fill(MessageQueue<String> queue, int messages, IntFunction<PushOptions> options)
            throws Exception {
        AtomicInteger next = new AtomicInteger();
        Callers.inFlight(IN_FLIGHT, messages, () -> queue.pushAsync(PAYLOAD, options.apply(next.getAndIncrement())));
    }

    private static long reserveAck(MessageQueue<String> queue, int messages) throws Exception {
        return Callers.inFlight(
                IN_FLIGHT,
                messages,
                () -> queue.reserveAsync(WAIT).thenCompose(got ->
                        (CompletableFuture<?>) got.orElseThrow().ackAsync()));
    }

    /** A round that fills the queue untimed, and empties it. */
    private static Interleaved.Round round(MessageQueue<String> queue, int messages, IntFunction<PushOptions> options) {
        return new Interleaved.Round() {
            @Override
            public void before() throws Exception {
                fill(queue, messages, options);
            }

            @Override
            public long run() throws Exception {
                return reserveAck(queue, messages);
            }

            @Override
            public void after() {
                requireEmpty(queue);
            }
        };
    }

    private static void requireEmpty(MessageQueue<String> queue) {
        if (queue.totalSize() > 0) {
            throw new IllegalStateException("messages are left in queue '" + queue.name() + "'");
        }
    }

    private Row keyed(String backend, Callable<Testbed> opener, int messages) throws Exception {
        try (Testbed testbed = opener.call()) {
            Interleaved.Round ours = round(keyed(testbed.jono(), "keyed"), messages, i -> key(i % KEYS));
            Interleaved.warmUp(8, ours);
            return Row.ratio(
                    backend + "-keyed-64",
                    backend + " reserve+ack, 64 calls in flight, 10,000 ordering keys / no keys",
                    0.6,
                    Interleaved.rates(
                            rounds, ours, round(plain(testbed.jono(), "plain"), messages, i -> PushOptions.none())));
        }
    }

    /** A long backlog in which each message has a key of its own, compared with one of 10,000 keys. */
    private Row manyKeys(String backend, Callable<Testbed> opener) throws Exception {
        int deep = count(1_000_000);
        int messages = count(20_000);
        try (Testbed testbed = opener.call()) {
            MessageQueue<String> many = keyed(testbed.jono(), "many");
            MessageQueue<String> few = keyed(testbed.jono(), "few");
            AtomicInteger next = new AtomicInteger(deep);
            fill(many, deep, KeyedRows::key);
            fill(few, deep, i -> key(i % KEYS));
            return Row.ratio(
                    backend + "-keyed-many-keys",
                    String.format("%s reserve+ack and push, %,d keys of one message / 10,000 keys", backend, deep),
                    0.8,
                    Interleaved.rates(
                            rounds,
                            () -> replace(many, messages, next::getAndIncrement),
                            () -> replace(few, messages, () -> next.getAndIncrement() % KEYS)));
        }
    }

    /** Reserves and acks in lists of 100, and pushes as many messages with other keys, so that the backlog keeps its length. */
    private static long replace(MessageQueue<String> queue, int messages, Callable<Integer> nextKey) throws Exception {
        int done = 0;
        while (done < messages) {
            List<Reservation<String>> got = queue.reserve(100, WAIT);
            queue.ackAll(got);
            List<CompletableFuture<?>> pushed = new ArrayList<>(got.size());
            for (int i = 0; i < got.size(); i++) {
                pushed.add(queue.pushAsync(PAYLOAD, key(nextKey.call())));
            }
            CompletableFuture.allOf(pushed.toArray(CompletableFuture[]::new)).join();
            done += got.size();
        }
        return done;
    }

    /** 10,000 keys, of which one has half a million waiting messages and is held, compared with a queue without that key. */
    private Row hotKey(String backend, Callable<Testbed> opener, int messages) throws Exception {
        int waiting = count(500_000);
        try (Testbed testbed = opener.call()) {
            MessageQueue<String> hot = keyed(testbed.jono(), "hot");
            MessageQueue<String> calm = keyed(testbed.jono(), "calm");
            fill(hot, waiting, i -> PushOptions.none().key("hot"));
            Reservation<String> held = hot.reserve(WAIT).orElseThrow();
            held.extend(Duration.ofDays(1));
            Interleaved.Round ours = new Interleaved.Round() {
                @Override
                public void before() throws Exception {
                    fill(hot, messages, i -> key(i % KEYS));
                }

                @Override
                public long run() throws Exception {
                    return reserveAck(hot, messages);
                }
            };
            return Row.ratio(
                    backend + "-keyed-hot-key",
                    String.format(
                            "%s reserve+ack, 64 calls in flight, 10,000 keys and one that is held with %,d waiting / without"
                                    + " that key",
                            backend, waiting),
                    0.9,
                    Interleaved.rates(rounds, ours, round(calm, messages, i -> key(i % KEYS))));
        }
    }

    private Row unique(String backend, Callable<Testbed> opener, int messages) throws Exception {
        try (Testbed testbed = opener.call()) {
            AtomicInteger next = new AtomicInteger();
            Duration window = Duration.ofMinutes(1);
            MessageQueue<String> unique = plain(testbed.jono(), "unique");
            MessageQueue<String> plain = plain(testbed.jono(), "plain");
            Interleaved.Round ours = pushes(
                    unique, messages, i -> PushOptions.none().unique("unique-" + next.getAndIncrement(), window));
            Interleaved.warmUp(8, ours);
            return Row.ratio(
                    backend + "-unique-push-64",
                    backend + " push, 64 calls in flight, with unique keys, none of which repeats / plain",
                    0.6,
                    Interleaved.rates(rounds, ours, pushes(plain, messages, i -> PushOptions.none())));
        }
    }

    /** A round that pushes messages, and removes them untimed. */
    private static Interleaved.Round pushes(
            MessageQueue<String> queue, int messages, IntFunction<PushOptions> options) {
        return new Interleaved.Round() {
            @Override
            public long run() throws Exception {
                fill(queue, messages, options);
                return messages;
            }

            @Override
            public void after() {
                if (queue.purge() != messages) {
                    throw new IllegalStateException("queue '" + queue.name() + "' did not store each message once");
                }
            }
        };
    }
}
