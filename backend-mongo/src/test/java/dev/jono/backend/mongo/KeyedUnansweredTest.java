package dev.jono.backend.mongo;

import static dev.jono.backend.mongo.KeyedStore.acking;
import static dev.jono.backend.mongo.KeyedStore.claim;
import static dev.jono.backend.mongo.KeyedStore.claiming;
import static dev.jono.backend.mongo.KeyedStore.counts;
import static dev.jono.backend.mongo.KeyedStore.insert;
import static dev.jono.backend.mongo.KeyedStore.inserting;
import static dev.jono.backend.mongo.KeyedStore.releasing;
import static dev.jono.backend.mongo.KeyedStore.texts;
import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.OutcomeUnknownException;
import dev.jono.PushOptions;
import dev.jono.UniqueKey;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.QueueStore;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.MongoFailPoint;
import dev.jono.testkit.server.MongoReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A transaction on keys is done but not confirmed: the call repeated with its token takes effect once. */
@Tag("fault")
@Execution(ExecutionMode.SAME_THREAD) // these share a server
class KeyedUnansweredTest {
    /** The driver repeats a commit once. */
    private static final int COMMITS = 2;

    private static @Nullable MongoReplicaSet set;

    private final String database = TestDatabases.newName();
    private final List<RawBackend> opened = new ArrayList<>();

    @BeforeAll
    static void start() {
        set = MongoFailPoint.replicaSet();
    }

    @AfterAll
    static void stop() {
        set().close();
    }

    @AfterEach
    void close() {
        opened.forEach(RawBackend::close);
    }

    private static MongoReplicaSet set() {
        return Objects.requireNonNull(set, "not started");
    }

    private RawBackend open() {
        RawBackend raw = RawBackend.open(TestDatabases.url("mongo", set().uri(database), "jono.one-database=true"));
        opened.add(raw);
        return raw;
    }

    private QueueStore keyed() {
        return KeyedStore.of(open().backend(), 1);
    }

    private static <R> void unconfirmed(Supplier<R> call) {
        try (MongoFailPoint lost = MongoFailPoint.unconfirmed(set(), "commitTransaction", COMMITS)) {
            assertThat(lost).isNotNull();
            assertThatThrownBy(call::get).isInstanceOf(OutcomeUnknownException.class);
        }
    }

    @Test
    void pushIsStoredOnce() {
        QueueStore store = keyed();
        insert(store, "b1");
        InsertRequest request = inserting("a1", "a2");
        unconfirmed(() -> got(store.insert(request)));
        QueueStore other = keyed();
        got(other.ack(acking(claim(other, 9))));
        got(other.ack(acking(claim(other, 9))));
        assertThat(got(store.insert(request)).items()).hasSize(2);
        assertThat(counts(store).ready() + counts(store).blocked()).isZero();
    }

    /** The list has several transactions, of which the second one is not confirmed. */
    @Test
    void longPushIsStoredOnce() {
        QueueStore store = keyed();
        insert(store, "b1");
        InsertRequest request =
                inserting(IntStream.range(0, 250).mapToObj(i -> "a" + i).toArray(String[]::new));
        try (MongoFailPoint lost = MongoFailPoint.unconfirmedBehind(set(), "commitTransaction", 1)) {
            assertThat(lost).isNotNull();
            assertThatThrownBy(() -> got(store.insert(request))).isInstanceOf(OutcomeUnknownException.class);
        }
        assertThat(got(store.insert(request)).items()).hasSize(250);
        assertThat(counts(store).blocked()).isEqualTo(249);
    }

    private static InsertRequest unique(String payload, String key) {
        UniqueKey unique =
                PushOptions.none().unique(key, Duration.ofHours(1)).unique().orElseThrow();
        return InsertRequest.builder()
                .messages(
                        List.of(KeyedStore.message(payload, null).unique(unique).build()))
                .token(token())
                .build();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void uniquePushFindsItsOwnKey(int maxPerKey) {
        QueueStore store = KeyedStore.of(open().backend(), maxPerKey);
        InsertRequest request = unique("x", "k");
        got(store.insert(unique("first", "other")));
        unconfirmed(() -> got(store.insert(request)));
        InsertResult.Item stored = got(store.insert(request)).items().get(0);
        assertThat(stored.duplicate()).isFalse();
        InsertResult.Item again = got(store.insert(unique("y", "k"))).items().get(0);
        assertThat(again.duplicate()).isTrue();
        assertThat(again.id()).isEqualTo(stored.id());
        assertThat(counts(store).ready()).isEqualTo(2);
    }

    @Test
    void ackPromotesOnce() {
        QueueStore store = keyed();
        insert(store, "a1", "a2", "a3");
        SettleRequest request = acking(claim(store, 1));
        unconfirmed(() -> got(store.ack(request)));
        QueueStore other = keyed();
        assertThat(texts(claim(other, 9))).containsExactly("a2");
        assertThat(got(store.ack(request)).outcomes()).containsExactly(Outcome.DONE);
        assertThat(claim(other, 9)).isEmpty();
        assertThat(counts(store).blocked()).isEqualTo(1);
    }

    @Test
    void releaseIsCountedOnce() {
        QueueStore store = keyed();
        insert(store, "a1", "a2");
        ReleaseRequest request = releasing(claim(store, 1).get(0), true);
        unconfirmed(() -> got(store.release(request)));
        QueueStore other = keyed();
        List<StoredMessage> next = claim(other, 9);
        assertThat(texts(next)).containsExactly("a1");
        assertThat(next.get(0).tries()).isEqualTo(1);
        assertThat(got(store.release(request)).outcomes()).containsExactly(Outcome.DONE);
        assertThat(claim(other, 9)).isEmpty();
    }

    @Test
    void popReturnsItsMessage() {
        QueueStore store = keyed();
        insert(store, "a1", "a2");
        ClaimRequest request = RawBackend.claiming(1);
        unconfirmed(() -> got(store.take(request)));
        assertThat(texts(got(keyed().take(RawBackend.claiming(1))).messages())).containsExactly("a2");
        assertThat(texts(got(store.take(request)).messages())).containsExactly("a1");
    }

    @Test
    void claimOfSeveralOfAKeyReturnsAllOfThem() {
        QueueStore store = keyed();
        insert(store, "a1", "a2", "a3", "a4");
        ClaimRequest request = claiming(3, 3);
        unconfirmed(() -> got(store.claim(request)));
        List<StoredMessage> claimed = got(store.claim(request)).messages();
        assertThat(texts(claimed)).containsExactly("a1", "a2", "a3");
        assertThat(claim(keyed(), 9)).isEmpty();
        assertThat(got(store.ack(acking(claimed))).outcomes()).containsOnly(Outcome.DONE);
        assertThat(texts(claim(store, 9))).containsExactly("a4");
    }

    /** Each command of the transaction is refused once, as if another transaction was faster. */
    @ParameterizedTest
    @ValueSource(strings = {"insert", "update", "aggregate", "delete", "find"})
    void conflictIsTriedAgain(String command) {
        QueueStore store = keyed();
        insert(store, "a1", "a2");
        List<StoredMessage> claimed = claim(store, 1);
        try (MongoFailPoint refused = MongoFailPoint.refusingNext(set(), List.of(command), 112)) {
            assertThat(refused).isNotNull();
            insert(store, "a3");
            got(store.ack(acking(claimed)));
        }
        assertThat(texts(claim(store, 9))).containsExactly("a2");
        assertThat(counts(store).blocked()).isEqualTo(1);
    }
}
