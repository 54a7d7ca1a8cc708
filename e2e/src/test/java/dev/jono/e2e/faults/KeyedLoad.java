package dev.jono.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Backoff;
import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/**
 * A load of messages with ordering keys and unique keys, which continues whatever happens to the storage. One client pushes,
 * another one has a worker.
 */
public final class KeyedLoad implements AutoCloseable {
    private static final int KEYS = 8;
    private static final long PAUSE_MILLIS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final QueueFactory producing;
    private final QueueFactory consuming;
    private final MessageQueue<Integer> orders;
    private final Worker worker;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger handled = new AtomicInteger();
    private final Map<String, Queue<Integer>> handledByKey = new ConcurrentHashMap<>();
    private final CompletableFuture<Integer> producer;

    /** Starts the load. */
    public KeyedLoad(String url) {
        producing = QueueFactory.connect(url);
        consuming = QueueFactory.connect(url);
        orders = keyed(producing);
        worker = consuming
                .worker()
                .concurrency(KEYS)
                .from(keyed(consuming), (number, message) -> {
                    handledByKey
                            .computeIfAbsent(message.key().orElseThrow(), k -> new ConcurrentLinkedQueue<>())
                            .add(number);
                    handled.incrementAndGet();
                })
                .start();
        producer = CompletableFuture.supplyAsync(this::push, run -> new Thread(run, "keyed-load").start());
    }

    private static MessageQueue<Integer> keyed(QueueFactory jono) {
        QueueOptions options = QueueOptions.builder()
                .keyed()
                .lease(Duration.ofSeconds(20))
                .operationTimeout(PATIENCE)
                .pollInterval(Duration.ofSeconds(2))
                .backoff(Backoff.fixed(Duration.ZERO))
                .deadLetter(DeadLetter.never())
                .build();
        return jono.queue("keyed", Codec.json(Integer.class), options);
    }

    /** Pushes to all keys until the load ends, each message under a unique key; how many messages each key got. */
    private int push() {
        int number = 0;
        for (; !ended.get(); number++) {
            for (int k = 0; k < KEYS; k++) {
                PushOptions options = PushOptions.none().key("k" + k).unique(k + "-" + number, Duration.ofHours(1));
                assertThat(orders.push(number, options).duplicate()).isFalse();
            }
            pause();
        }
        return number;
    }

    /** Servers share the machine with the clients, and need time for elections. */
    private static void pause() {
        CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS))
                .join();
    }

    /** Waits until this many more messages have been handled. */
    public void awaitMore(int more) {
        int enough = handled.get() + more;
        Awaitility.await("more handled messages").atMost(PATIENCE).until(() -> handled.get() >= enough);
    }

    /**
     * Stops the load, and checks that no message was lost and that each key kept its order. A message may be handled again after
     * its ack was lost, before the next one of its key.
     */
    public void assertNothingIsLostAndOrderIsKept() {
        ended.set(true);
        int pushed = producer.join();
        Awaitility.await("an empty queue").atMost(PATIENCE).until(() -> orders.totalSize() == 0);
        worker.stop(Duration.ofSeconds(10));
        for (int k = 0; k < KEYS; k++) {
            List<Integer> numbers = List.copyOf(handledByKey.getOrDefault("k" + k, new ConcurrentLinkedQueue<>()));
            assertThat(numbers).as("messages of key k" + k).isSorted();
            assertThat(numbers.stream().distinct()).as("messages of key k" + k).hasSize(pushed);
        }
    }

    @Override
    public void close() {
        ended.set(true);
        producing.close();
        consuming.close();
    }
}
