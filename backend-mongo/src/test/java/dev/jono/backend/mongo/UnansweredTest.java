package dev.jono.backend.mongo;

import static dev.jono.testkit.RawBackend.claiming;
import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.message;
import static dev.jono.testkit.RawBackend.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.JonoException;
import dev.jono.OutcomeUnknownException;
import dev.jono.RemoveOutcome;
import dev.jono.spi.Backend;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.NewMessage;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RemoveResult;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.PluginConfigs;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.SettableClock;
import dev.jono.testkit.server.MongoFailPoint;
import dev.jono.testkit.server.MongoReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
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

/**
 * A command takes effect but is not confirmed, or the next one fails: a call repeated with its token takes effect once.
 */
@Tag("fault")
@Execution(ExecutionMode.SAME_THREAD) // these share a server
class UnansweredTest {
    private static final int QUERY_PLAN_KILLED = 175;

    private static @Nullable MongoReplicaSet set;

    private final List<RawBackend> opened = new ArrayList<>();
    private final String database = TestDatabases.newName();

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
        MongoReplicaSet started = set;
        if (started == null) {
            throw new IllegalStateException("not started");
        }
        return started;
    }

    private RawBackend open(String type, String options) {
        RawBackend raw =
                RawBackend.open(TestDatabases.url(type, set().uri(database), "jono.one-database=true" + options));
        opened.add(raw);
        return raw;
    }

    private static List<String> texts(ClaimResult result) {
        return result.messages().stream()
                .map(message -> message.payload().text())
                .toList();
    }

    private static <R> void unconfirmed(String command, Supplier<R> call) {
        try (MongoFailPoint lost = MongoFailPoint.unconfirmed(set(), command, 1)) {
            assertThat(lost).isNotNull();
            assertThatThrownBy(call::get).isInstanceOf(OutcomeUnknownException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void popWhoseLaterQueryFailsLosesNothing(int skip) {
        RawBackend raw = open("mongo", "");
        raw.insert("a", "b");
        ClaimRequest request = claiming(5);
        List<String> taken = new ArrayList<>();
        boolean repeat = false;
        try (MongoFailPoint failing = MongoFailPoint.refusing(set(), "find", skip, 2)) {
            assertThat(failing).isNotNull();
            taken.addAll(texts(got(raw.store().take(request))));
        } catch (OutcomeUnknownException doubt) {
            repeat = true;
        } catch (JonoException refused) {
            assertThat(refused).hasMessageContaining("orders");
        }
        if (repeat) {
            taken.addAll(texts(got(raw.store().take(request))));
        }
        taken.addAll(raw.take(5));
        assertThat(taken).containsExactly("a", "b");
    }

    @Test
    void popOfSeveralWhoseRemovalIsUnconfirmedReturnsThem() {
        RawBackend raw = open("mongo", "");
        raw.insert("a", "b");
        ClaimRequest request = claiming(2);
        unconfirmed("delete", () -> got(raw.store().take(request)));
        assertThat(texts(got(raw.store().take(request)))).containsExactly("a", "b");
        assertThat(raw.take(9)).isEmpty();
    }

    /** In the second round the message has been reserved before. */
    @Test
    void unconfirmedReserveOfOneMessageHoldsIt() {
        RawBackend raw = open("mongo", "");
        raw.insert("a", "b");
        for (int round = 0; round < 2; round++) {
            ClaimRequest request = claiming(1);
            unconfirmed("findAndModify", () -> got(raw.store().claim(request)));
            assertThat(texts(open("mongo", "").claim(1)))
                    .as("not the same again")
                    .containsExactly("b");
            StoredMessage held = got(raw.store().claim(request)).messages().get(0);
            assertThat(held.payload().text()).isEqualTo("a");
            assertThat(held.expired()).isEqualTo(round == 1);
            assertThat(held.tries()).isEqualTo(round);
            if (round == 0) {
                Fixture.expire(set().uri(database), "orders");
            } else {
                assertThat(got(raw.store().ack(RawBackend.acking(held))).outcomes())
                        .containsExactly(SettleResult.Outcome.DONE);
            }
        }
    }

    /**
     * The lease may have ended. All messages are gone and no other consumer has one, so the first attempt removed them.
     */
    @Test
    void popWhoseRemovalIsConfirmedVeryLateReturnsThem() {
        SettableClock clock = new SettableClock();
        String url = TestDatabases.url("mongo", set().uri(database), "jono.one-database=true");
        try (Backend backend = new MongoBackendProvider()
                .open(PluginConfigs.builder(url).namespace("N").clock(clock).build())) {
            QueueStore store = backend.queue(QueueSpec.builder().name("orders").build());
            open("mongo", "").insert("a", "b");
            ClaimRequest request = claiming(2);
            unconfirmed("delete", () -> got(store.take(request)));
            clock.advance(Duration.ofSeconds(25));
            assertThat(texts(got(store.take(request)))).containsExactly("a", "b");
            open("mongo", "").insert("c", "d");
            ClaimRequest next = claiming(2);
            unconfirmed("update", () -> got(store.take(next)));
            clock.advance(Duration.ofSeconds(25));
            assertThat(texts(got(store.take(next)))).as("one by one").containsExactly("c", "d");
        }
    }

    @Test
    void popWhoseMarkingIsUnconfirmedTakesNoMessageThatOthersHold() {
        RawBackend raw = open("mongo", "");
        RawBackend other = open("mongo", "");
        raw.insert("a", "b");
        ClaimRequest request = claiming(2);
        unconfirmed("update", () -> got(raw.store().take(request)));
        // The lease of the pop ends.
        Fixture.expire(set().uri(database), "orders");
        assertThat(texts(other.claim(1))).containsExactly("a");
        assertThat(texts(got(raw.store().take(request)))).containsExactly("b");
    }

    /** The collection was renamed during the removal, and came back with marks that the deletion of the queue undid. */
    @Test
    void interruptedPopReturnsNoMessageWhoseMarkWasUndone() {
        RawBackend raw = open("mongo", "");
        raw.insert("a", "b");
        ClaimRequest request = claiming(2);
        try (MongoFailPoint interrupting = MongoFailPoint.refusing(set(), "delete", 0, QUERY_PLAN_KILLED)) {
            assertThat(interrupting).isNotNull();
            assertThatThrownBy(() -> got(raw.store().take(request))).isInstanceOf(OutcomeUnknownException.class);
        }
        Fixture.expire(set().uri(database), "orders");
        Fixture.unset(set().uri(database), "orders", "token", "taken", "reserved");
        assertThat(texts(got(raw.store().take(request)))).isEmpty();
        assertThat(raw.take(9)).containsExactly("a", "b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "ps-mongo"})
    void unconfirmedRemovalIsReportedAsRemoved(String type) {
        RawBackend raw = open(type, type.equals("ps-mongo") ? "&jono.ttl=1h" : "");
        String id = raw.insert("a").items().get(0).id();
        RemoveRequest request =
                RemoveRequest.builder().ids(List.of(id, "other")).token(token()).build();
        unconfirmed(
                type.equals("mongo") ? "delete" : "update",
                () -> got(raw.store().remove(request)));
        RemoveResult result = got(raw.store().remove(request));
        assertThat(result.outcomes()).containsExactly(RemoveOutcome.REMOVED, RemoveOutcome.ABSENT);
    }

    @Test
    void removalOfSeveralReportsAllAlthoughALaterOneIsRefused() {
        RawBackend raw = open("mongo", "");
        List<String> ids = raw.insert("a", "b", "c").items().stream()
                .map(InsertResult.Item::id)
                .toList();
        RemoveRequest request = RemoveRequest.builder().ids(ids).token(token()).build();
        try (MongoFailPoint refusing = MongoFailPoint.refusing(set(), "delete", 1, 2)) {
            assertThat(refusing).isNotNull();
            assertThatThrownBy(() -> got(raw.store().remove(request))).isInstanceOf(OutcomeUnknownException.class);
        }
        assertThat(got(raw.store().remove(request)).outcomes())
                .containsOnly(RemoveOutcome.REMOVED)
                .hasSize(3);
    }

    @Test
    void pushWhoseQueryAfterADuplicateFailsIsStoredOnce() {
        RawBackend raw = open("pl-mongo", "&jono.pipeline=works");
        String id = raw.insert("a").items().get(0).id();
        NewMessage twice =
                NewMessage.builder().id(id).payload(message("b").payload()).build();
        InsertRequest request = RawBackend.inserting(message("c"), twice);
        try (MongoFailPoint failing = MongoFailPoint.refusing(set(), "find", 0, 2)) {
            assertThat(failing).isNotNull();
            assertThatThrownBy(() -> got(raw.store().insert(request))).isInstanceOf(OutcomeUnknownException.class);
        }
        assertThat(got(raw.store().insert(request)).items()).hasSize(2);
        assertThat(raw.take(9)).containsExactly("a", "c");
    }

    /** The popped message is turned from history into a message once, although another consumer popped it again. */
    @Test
    void unconfirmedRestoreOfHistoryTakesEffectOnce() {
        RawBackend raw = open("ps-mongo", "&jono.ttl=1h");
        raw.insert("a");
        List<StoredMessage> taken = got(raw.store().take(claiming(2))).messages();
        assertThat(taken).hasSize(1);
        RestoreRequest request =
                RestoreRequest.builder().messages(taken).token(token()).build();
        unconfirmed("update", () -> got(raw.store().restore(request)));
        assertThat(open("ps-mongo", "&jono.ttl=1h").take(9)).containsExactly("a");
        assertThat(got(raw.store().restore(request)).items()).allMatch(item -> item.failure() == null);
        assertThat(raw.take(9)).isEmpty();
    }
}
