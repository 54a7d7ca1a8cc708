package dev.jono.backend.mongo;

import static dev.jono.backend.mongo.KeyedStore.acking;
import static dev.jono.backend.mongo.KeyedStore.claim;
import static dev.jono.backend.mongo.KeyedStore.counts;
import static dev.jono.backend.mongo.KeyedStore.insert;
import static dev.jono.backend.mongo.KeyedStore.texts;
import static dev.jono.testkit.RawBackend.claiming;
import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoDatabase;
import dev.jono.EditOutcome;
import dev.jono.RemoveOutcome;
import dev.jono.StorageException;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.DeleteRequest;
import dev.jono.spi.Due;
import dev.jono.spi.InsertResult;
import dev.jono.spi.MoveIdleRequest;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.QueueStore;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RescheduleRequest;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.MongoReplicaSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Processes with different settings of one queue, also such that used it before it became keyed. */
class KeyedSettingTest {
    private final String name = TestDatabases.newName();
    private final MongoDatabase database = TestDatabases.client().getDatabase(name);
    private final List<RawBackend> opened = new ArrayList<>();

    private RawBackend open(String type) {
        RawBackend raw =
                RawBackend.open(TestDatabases.url(type, MongoReplicaSet.sharedUri(name), "jono.one-database=true"));
        opened.add(raw);
        return raw;
    }

    @AfterEach
    void drop() {
        opened.forEach(RawBackend::close);
        database.drop();
    }

    /** A process that used the queue when it was not keyed. */
    private RawBackend early(String type) {
        RawBackend early = open(type);
        early.insert("x");
        assertThat(early.take(9)).containsExactly("x");
        return early;
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "ps-mongo"})
    void processWithoutKeysStoresAndSettlesButDoesNotConsume(String type) {
        RawBackend early = early(type);
        QueueStore store = KeyedStore.of(open(type).backend(), 1);
        insert(store, "a1", "a2");
        early.insert("y");
        assertThat(counts(early.store()).ready()).isEqualTo(2);
        assertThat(counts(early.store()).blocked()).isEqualTo(1);
        assertThatThrownBy(() -> early.claim(1))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("keyed(1)");
        assertThatThrownBy(() -> early.take(5))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("keyed(1)");
        List<StoredMessage> claimed = claim(store, 9);
        assertThat(texts(claimed)).containsExactly("a1", "y");
        assertThat(got(early.store().ack(acking(claimed))).outcomes()).containsOnly(Outcome.DONE);
        assertThat(texts(claim(store, 9))).containsExactly("a2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "ps-mongo"})
    void otherSettingsAreRefused(String type) {
        insert(KeyedStore.of(open(type).backend(), 1), "a1");
        QueueStore other = KeyedStore.of(open(type).backend(), 3);
        for (Runnable call : List.<Runnable>of(() -> insert(other, "a2"), () -> claim(other, 1))) {
            assertThatThrownBy(call::run)
                    .isInstanceOf(StorageException.class)
                    .hasMessageContainingAll("orders", "keyed(1)", "keyed(3)");
        }
        assertThat(counts(other).ready()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "ps-mongo"})
    void processWithoutKeysEdits(String type) {
        RawBackend early = early(type);
        QueueStore store = KeyedStore.of(open(type).backend(), 1);
        insert(store, "a1", "a2", "a3", "b1");
        List<StoredMessage> all =
                got(early.store().browse(BrowseRequest.builder().build())).messages();
        assertThat(texts(all)).containsExactlyInAnyOrder("a1", "a2", "a3", "b1");
        String a1 = id(all, "a1");
        assertThat(remove(early.store(), a1)).containsExactly(RemoveOutcome.REMOVED);
        assertThat(got(early.store()
                                .reschedule(RescheduleRequest.builder()
                                        .ids(List.of(id(all, "b1"), id(all, "a3")))
                                        .due(Due.in(60_000))
                                        .token(token())
                                        .build()))
                        .outcomes())
                .containsExactly(EditOutcome.DONE, EditOutcome.DONE);
        assertThat(counts(store).scheduled()).isEqualTo(1);
        assertThat(texts(claim(store, 9))).containsExactly("a2");
        assertThat(got(early.store().purge())).isEqualTo(2);
    }

    /** The process learns of the keys by the call that removes: otherwise the next message of the key would stay blocked. */
    @ParameterizedTest
    @ValueSource(strings = {"mongo", "ps-mongo"})
    void processWithoutKeysRemovesWhatItHasNotSeen(String type) {
        RawBackend early = early(type);
        QueueStore store = KeyedStore.of(open(type).backend(), 1);
        insert(store, "a1", "a2");
        List<StoredMessage> all =
                got(store.browse(BrowseRequest.builder().build())).messages();
        assertThat(remove(early.store(), id(all, "a1"))).containsExactly(RemoveOutcome.REMOVED);
        assertThat(texts(claim(store, 9))).containsExactly("a2");
    }

    private static List<RemoveOutcome> remove(QueueStore store, String id) {
        return got(store.remove(
                        RemoveRequest.builder().ids(List.of(id)).token(token()).build()))
                .outcomes();
    }

    private static String id(List<StoredMessage> messages, String payload) {
        return messages.stream()
                .filter(message -> message.payload().text().equals(payload))
                .findFirst()
                .orElseThrow()
                .id();
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "ps-mongo"})
    void messagesMoveIntoAQueueThatHasBecomeKeyed(String type) {
        RawBackend early = early(type);
        QueueStore source = early.queue("source");
        got(source.insert(KeyedStore.inserting("a1", "a2", "a3")));
        List<StoredMessage> claimed = claim(source, 2);
        QueueStore store = KeyedStore.of(open(type).backend(), 1);
        insert(store, "a0");
        MoveRequest move = MoveRequest.builder()
                .items(claimed.stream()
                        .map(message -> MoveItem.builder()
                                .receipt(Objects.requireNonNull(message.receipt()))
                                .toQueue("orders")
                                .build())
                        .toList())
                .token(token())
                .build();
        assertThat(got(source.move(move)).outcomes()).containsOnly(Outcome.DONE);
        String idle = got(source.browse(BrowseRequest.builder().build()))
                .messages()
                .get(0)
                .id();
        assertThat(got(source.moveIdle(MoveIdleRequest.builder()
                                .ids(List.of(idle))
                                .toQueue("orders")
                                .token(token())
                                .build()))
                        .outcomes())
                .containsExactly(EditOutcome.DONE);
        for (String expected : List.of("a0", "a1", "a2", "a3")) {
            List<StoredMessage> next = claim(store, 9);
            assertThat(texts(next)).containsExactly(expected);
            got(store.ack(acking(next)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "ps-mongo"})
    void processWithoutKeysRestoresToTheFront(String type) {
        RawBackend early = early(type);
        QueueStore store = KeyedStore.of(open(type).backend(), 1);
        insert(store, "a1", "a2", "a3", "a4");
        List<StoredMessage> taken = new ArrayList<>(got(store.take(claiming(1))).messages());
        taken.addAll(got(store.take(claiming(1))).messages());
        RestoreRequest restore =
                RestoreRequest.builder().messages(taken).token(token()).build();
        assertThat(got(early.store().restore(restore)).items())
                .extracting(InsertResult.Item::failure)
                .containsOnlyNulls();
        for (String expected : List.of("a1", "a2", "a3", "a4")) {
            assertThat(texts(got(store.take(claiming(9))).messages())).containsExactly(expected);
        }
        assertThat(counts(store).blocked()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "ps-mongo"})
    void messagesRestoredOneByOneGoBackToTheirPlaces(String type) {
        QueueStore store = KeyedStore.of(open(type).backend(), 1);
        insert(store, "a1", "a2", "a3");
        List<List<StoredMessage>> taken = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            taken.add(got(store.take(claiming(1))).messages());
        }
        insert(store, "a4");
        for (List<StoredMessage> each : List.of(taken.get(1), taken.get(0), taken.get(2))) {
            got(store.restore(
                    RestoreRequest.builder().messages(each).token(token()).build()));
        }
        for (String expected : List.of("a1", "a2", "a3", "a4")) {
            assertThat(texts(got(store.take(claiming(9))).messages())).containsExactly(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "ps-mongo"})
    void keyedProcessFollowsADeletedQueue(String type) {
        QueueStore store = KeyedStore.of(open(type).backend(), 1);
        insert(store, "a1");
        got(store.ack(acking(claim(store, 1))));
        RawBackend other = open(type);
        assertThat(got(other.store().delete(DeleteRequest.builder().build())).deleted())
                .isTrue();
        insert(store, "a2", "a3");
        assertThat(counts(other.store()).blocked()).isEqualTo(1);
        assertThat(texts(claim(store, 9))).containsExactly("a2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "ps-mongo"})
    void processWithAnOldSettingGetsNothing(String type) {
        QueueStore store = KeyedStore.of(open(type).backend(), 1);
        insert(store, "a1");
        got(store.ack(acking(claim(store, 1))));
        got(open(type).store().delete(DeleteRequest.builder().build()));
        insert(KeyedStore.of(open(type).backend(), 2), "a2", "a3");
        // A claim that finds nothing reads the setting at most once a second.
        Awaitility.await("the refusal")
                .untilAsserted(() -> assertThatThrownBy(() -> claim(store, 9))
                        .isInstanceOf(StorageException.class)
                        .hasMessageContainingAll("keyed(1)", "keyed(2)"));
        assertThat(counts(store).ready()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "ps-mongo"})
    void competingProcessesMakeAQueueKeyedOnce(String type) {
        List<CompletableFuture<Void>> pushes = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            RawBackend raw = open(type);
            String payload = "a" + i;
            pushes.add(CompletableFuture.runAsync(() -> insert(KeyedStore.of(raw.backend(), 1), payload)));
        }
        pushes.forEach(CompletableFuture::join);
        QueueStore store = KeyedStore.of(open(type).backend(), 1);
        assertThat(counts(store).ready()).isEqualTo(1);
        assertThat(counts(store).blocked()).isEqualTo(5);
        assertThat(database.listCollectionNames()).noneMatch(collection -> collection.contains("~"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "ps-mongo"})
    void queueWithMessagesDoesNotBecomeKeyed(String type) {
        RawBackend plain = open(type);
        plain.insert("x");
        assertThatThrownBy(() -> insert(KeyedStore.of(open(type).backend(), 1), "a1"))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("not keyed");
        assertThat(plain.take(9)).containsExactly("x");
        assertThat(database.listCollectionNames()).noneMatch(collection -> collection.contains("~"));
    }
}
