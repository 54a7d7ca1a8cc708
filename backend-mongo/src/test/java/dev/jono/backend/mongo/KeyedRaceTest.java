package dev.jono.backend.mongo;

import static dev.jono.backend.mongo.KeyedStore.acking;
import static dev.jono.backend.mongo.KeyedStore.claiming;
import static dev.jono.backend.mongo.KeyedStore.counts;
import static dev.jono.backend.mongo.KeyedStore.insert;
import static dev.jono.testkit.RawBackend.got;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoDatabase;
import dev.jono.spi.QueueStore;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.MongoReplicaSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Processes store, consume and give back messages of few keys at the same time, mostly when a key has no other message.
 * If two transactions missed each other, a message would stay blocked for ever, or a key's document would be left.
 */
@Timeout(value = 55, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KeyedRaceTest {
    private static final int KEYS = 3;
    private static final int PRODUCERS = 3;
    private static final int CONSUMERS = 3;
    private static final int EACH = 40;
    /** A thread for each task, because the tasks wait for each other. */
    private static final Executor THREAD = task -> new Thread(task, "race").start();

    private final String name = TestDatabases.newName();
    private final MongoDatabase database = TestDatabases.client().getDatabase(name);
    private final List<RawBackend> opened = new ArrayList<>();
    private final AtomicInteger done = new AtomicInteger();
    private final Map<String, Queue<Integer>> doneByProducerAndKey = new ConcurrentHashMap<>();
    private final Set<String> restored = ConcurrentHashMap.newKeySet();

    private QueueStore open(int maxPerKey) {
        RawBackend raw =
                RawBackend.open(TestDatabases.url("mongo", MongoReplicaSet.sharedUri(name), "jono.one-database=true"));
        opened.add(raw);
        return KeyedStore.of(raw.backend(), maxPerKey);
    }

    @AfterEach
    void drop() {
        opened.forEach(RawBackend::close);
        database.drop();
    }

    private static void produce(QueueStore store, int producer) {
        for (int i = 0; i < EACH; i++) {
            for (int key = 0; key < KEYS; key++) {
                insert(store, (char) ('a' + key) + ":" + producer + ":" + i);
            }
        }
    }

    private void consume(QueueStore store, int perKey, boolean pops) {
        while (done.get() < PRODUCERS * KEYS * EACH) {
            if (pops && done.get() % 5 == 0) {
                pop(store);
                continue;
            }
            List<StoredMessage> claimed = got(store.claim(claiming(4, perKey))).messages();
            List<StoredMessage> acked = new ArrayList<>();
            for (StoredMessage message : claimed) {
                if (message.tries() == 0 && message.payload().text().endsWith("7")) {
                    got(store.release(KeyedStore.releasing(message, true)));
                    break; // the later ones of its key went back too
                }
                acked.add(message);
            }
            if (!acked.isEmpty()) {
                // Recorded before: the next message of a key may be handed out at once.
                acked.forEach(this::record);
                got(store.ack(acking(acked)));
            }
            claimed.stream().skip(acked.size()).forEach(rest -> got(store.release(KeyedStore.releasing(rest, false))));
        }
    }

    /** Pops messages, and restores some of them once. */
    private void pop(QueueStore store) {
        List<StoredMessage> back = new ArrayList<>();
        for (StoredMessage message : got(store.take(RawBackend.claiming(2))).messages()) {
            if (message.payload().text().endsWith("3") && restored.add(message.id())) {
                back.add(message);
            } else {
                record(message);
            }
        }
        if (!back.isEmpty()) {
            got(store.restore(RestoreRequest.builder()
                    .messages(back)
                    .token(RawBackend.token())
                    .build()));
        }
    }

    private void record(StoredMessage message) {
        String[] parts = message.payload().text().split(":", -1);
        doneByProducerAndKey
                .computeIfAbsent(parts[0] + parts[1], key -> new ConcurrentLinkedQueue<>())
                .add(Integer.valueOf(parts[2]));
        done.incrementAndGet();
    }

    @ParameterizedTest
    @CsvSource({"1, 1, false", "1, 3, false", "1, 1, true", "2, 1, false"})
    void nothingStaysBlockedAndNothingIsLeft(int maxPerKey, int perKey, boolean pops) {
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int i = 0; i < PRODUCERS; i++) {
            QueueStore store = open(maxPerKey);
            int producer = i;
            running.add(CompletableFuture.runAsync(() -> produce(store, producer), THREAD));
        }
        for (int i = 0; i < CONSUMERS; i++) {
            QueueStore store = open(maxPerKey);
            running.add(CompletableFuture.runAsync(() -> consume(store, perKey, pops), THREAD));
        }
        running.forEach(CompletableFuture::join);
        QueueStore store = open(maxPerKey);
        assertThat(counts(store).blocked()).isZero();
        assertThat(KeyedStore.collection(database).find())
                .as("the document of the queue alone")
                .hasSize(1);
        assertThat(done).hasValue(PRODUCERS * KEYS * EACH);
        if (maxPerKey == 1 && !pops) {
            doneByProducerAndKey.forEach((key, numbers) ->
                    assertThat(List.copyOf(numbers)).as(key).isSorted().doesNotHaveDuplicates());
        }
    }
}
