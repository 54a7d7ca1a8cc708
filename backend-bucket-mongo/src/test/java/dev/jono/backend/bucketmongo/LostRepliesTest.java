package dev.jono.backend.bucketmongo;

import static dev.jono.testkit.RawBackend.acking;
import static dev.jono.testkit.RawBackend.claiming;
import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.inserting;
import static dev.jono.testkit.RawBackend.message;
import static dev.jono.testkit.RawBackend.receipt;
import static dev.jono.testkit.RawBackend.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.jono.OutcomeUnknownException;
import dev.jono.RemoveOutcome;
import dev.jono.StorageException;
import dev.jono.spi.Backend;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.Due;
import dev.jono.spi.QueueStore;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleResult.Outcome;
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
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that fail after an earlier one of the same call was done, and commands that are done and not confirmed. */
@Tag("fault")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LostRepliesTest {
    private static final int NOT_ALLOWED = 13;
    /** More commands than a call sends. */
    private static final int ALWAYS = 1_000_000;

    private final MongoReplicaSet set = MongoFailPoint.replicaSet();

    @AfterAll
    void stop() {
        set.close();
    }

    private String url() {
        return TestDatabases.url("bucket-mongo-safe", set.uri(TestDatabases.newName()), "jono.one-database=true");
    }

    /** Runs a call of which one command is done and not confirmed. */
    private void unconfirmed(String command, Supplier<?> call) {
        try (MongoFailPoint lost = MongoFailPoint.unconfirmed(set, command, 1)) {
            assertThat(lost).isNotNull();
            assertThatThrownBy(call::get).isInstanceOf(OutcomeUnknownException.class);
        }
    }

    private static List<String> texts(ClaimResult result) {
        return result.messages().stream()
                .map(message -> message.payload().text())
                .toList();
    }

    /** Each search before the removal may fail, and the query of the next due time after it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void popLosesNothingIfQueryFails(int which) {
        try (RawBackend raw = RawBackend.open(url())) {
            raw.insert("a");
            List<String> out = new ArrayList<>();
            try (MongoFailPoint failing = MongoFailPoint.refusing(set, "aggregate", which, NOT_ALLOWED)) {
                assertThat(failing).isNotNull();
                out.addAll(raw.take(5));
            } catch (StorageException failed) {
                assertThat(failed).hasMessageContaining("refused");
            }
            out.addAll(raw.take(5));
            assertThat(out).containsExactly("a");
        }
    }

    /** The answer to the marking is lost, or to the removal from a bucket that becomes empty, or from one that does not. */
    @ParameterizedTest
    @CsvSource({"update, 0", "delete, 0", "update, 1"})
    void popOfSeveralBucketsThatIsConfirmedLateReturnsItsMessages(String command, int skip) {
        SettableClock clock = new SettableClock();
        try (Backend backend = Fixture.open(
                PluginConfigs.builder(url()).namespace("N").clock(clock).build())) {
            QueueStore orders = Fixture.orders(backend);
            got(orders.insert(inserting(message("a"))));
            got(orders.insert(inserting(message("b"), message("c"))));
            ClaimRequest two = claiming(2);
            try (MongoFailPoint lost = MongoFailPoint.unconfirmedBehind(set, command, skip)) {
                assertThat(lost).isNotNull();
                assertThatThrownBy(() -> got(orders.take(two))).isInstanceOf(OutcomeUnknownException.class);
            }
            clock.advance(Duration.ofSeconds(25));
            assertThat(texts(got(orders.take(two)))).containsExactly("a", "b");
            assertThat(texts(got(orders.take(claiming(2))))).containsExactly("c");
        }
    }

    /** The marks have ended before the repetition: it returns the removed messages, and none that another consumer has got. */
    @Test
    void popOfSeveralBucketsThatIsRepeatedAfterItsMarksEndReturnsWhatItRemoved() {
        String database = TestDatabases.newName();
        String url = TestDatabases.url("bucket-mongo-safe", set.uri(database), "jono.one-database=true");
        try (RawBackend raw = RawBackend.open(url);
                RawBackend other = RawBackend.open(url);
                MongoClient client = MongoClients.create(set.uri("admin"))) {
            raw.insert("a");
            raw.insert("b", "c");
            ClaimRequest two = claiming(2);
            unconfirmed("delete", () -> got(raw.store().take(two)));
            Fixture.expire(client.getDatabase(database).getCollection("orders", BsonDocument.class));
            assertThat(other.take(1)).containsExactly("b");
            assertThat(texts(got(raw.store().take(two)))).containsExactly("a");
            assertThat(raw.take(5)).containsExactly("c");
        }
    }

    /** The transaction of a killed process would block its buckets until the server aborts it. */
    @Test
    void popOfSeveralBucketsOpensNoTransaction() {
        try (RawBackend raw = RawBackend.open(url())) {
            raw.insert("a");
            raw.insert("b", "c");
            long before = transactions();
            assertThat(raw.take(2)).containsExactly("a", "b");
            assertThat(transactions()).isEqualTo(before);
        }
    }

    private long transactions() {
        try (MongoClient client = MongoClients.create(set.uri("admin"))) {
            return client.getDatabase("admin")
                    .runCommand(new Document("serverStatus", 1))
                    .toBsonDocument()
                    .getDocument("transactions")
                    .getNumber("totalStarted")
                    .longValue();
        }
    }

    @Test
    void restoreThatIsConfirmedLateIsDoneOnce() {
        try (RawBackend raw = RawBackend.open(url())) {
            raw.insert("a", "b");
            RestoreRequest request = RestoreRequest.builder()
                    .messages(got(raw.store().take(claiming(2))).messages())
                    .token(token())
                    .build();
            try (MongoFailPoint lost = MongoFailPoint.unconfirmed(set, "commitTransaction", ALWAYS)) {
                assertThat(lost).isNotNull();
                for (int attempt = 0; attempt < 3; attempt++) {
                    assertThatThrownBy(() -> got(raw.store().restore(request)))
                            .isInstanceOf(OutcomeUnknownException.class);
                }
            }
            assertThat(raw.take(1)).containsExactly("a");
            got(raw.store().restore(request));
            assertThat(raw.take(2)).containsExactly("b");
        }
    }

    /** Another process has changed one bucket, and reading it fails after the write that changed the other bucket. */
    @Test
    void failureAfterAckThatWasDoneLeavesOutcomeUnknown() {
        String url = url();
        try (RawBackend raw = RawBackend.open(url);
                RawBackend other = RawBackend.open(url)) {
            raw.insert("a0", "a1");
            raw.insert("b0", "b1");
            List<StoredMessage> mine = raw.claim(3).messages();
            assertThat(other.claim(1).messages()).hasSize(1);
            try (MongoFailPoint failing = MongoFailPoint.refusing(set, "find", 0, NOT_ALLOWED)) {
                assertThat(failing).isNotNull();
                assertThatThrownBy(() -> got(raw.store().ack(acking(mine.get(0), mine.get(2)))))
                        .isInstanceOf(OutcomeUnknownException.class);
            }
        }
    }

    /** The claim has cached the bucket, and a deleted bucket needs no check, so there is no read before or after the write. */
    @Test
    void ackOfWholeBucketReadsNothing() {
        try (RawBackend raw = RawBackend.open(url())) {
            raw.insert("a0", "a1");
            StoredMessage[] mine = raw.claim(2).messages().toArray(StoredMessage[]::new);
            try (MongoFailPoint failing = MongoFailPoint.refusing(set, "find", 0, NOT_ALLOWED)) {
                assertThat(failing).isNotNull();
                assertThat(got(raw.store().ack(acking(mine))).outcomes()).containsExactly(Outcome.DONE, Outcome.DONE);
            }
        }
    }

    /** A message of a bucket that stays, and the last message of a bucket that is deleted. */
    @ParameterizedTest
    @ValueSource(strings = {"update", "delete"})
    void removalThatIsConfirmedLateReportsRemoved(String command) {
        String url = url();
        try (RawBackend raw = RawBackend.open(url);
                RawBackend other = RawBackend.open(url)) {
            String first = raw.insert("a0", "a1").items().get(0).id();
            String alone = raw.insert("b").items().get(0).id();
            RemoveRequest request = RemoveRequest.builder()
                    .ids(List.of("none", first, alone, first))
                    .token(token())
                    .build();
            unconfirmed(command, () -> got(raw.store().remove(request)));
            assertThat(other.take(1)).as("in the bucket that was changed").containsExactly("a1");
            assertThat(got(raw.store().remove(request)).outcomes())
                    .containsExactly(
                            RemoveOutcome.ABSENT, RemoveOutcome.REMOVED, RemoveOutcome.REMOVED, RemoveOutcome.REMOVED);
            assertThat(raw.take(9)).isEmpty();
        }
    }

    @Test
    void repeatedRemovalReportsWhatItRemovedBeforeItFailed() {
        try (RawBackend raw = RawBackend.open(url())) {
            String first = raw.insert("a0", "a1").items().get(0).id();
            String second = raw.insert("b0", "b1").items().get(0).id();
            RemoveRequest request = RemoveRequest.builder()
                    .ids(List.of(first, second))
                    .token(token())
                    .build();
            try (MongoFailPoint failing = MongoFailPoint.refusing(set, "update", 1, NOT_ALLOWED)) {
                assertThat(failing).isNotNull();
                assertThatThrownBy(() -> got(raw.store().remove(request))).isInstanceOf(OutcomeUnknownException.class);
            }
            assertThat(got(raw.store().remove(request)).outcomes())
                    .containsExactly(RemoveOutcome.REMOVED, RemoveOutcome.REMOVED);
            assertThat(raw.take(9)).containsExactly("a1", "b1");
        }
    }

    private static ReleaseRequest releasing(@Nullable Due due, StoredMessage... messages) {
        return ReleaseRequest.builder()
                .items(List.of(messages).stream()
                        .map(message -> ReleaseRequest.Item.of(receipt(message), due, false))
                        .toList())
                .token(token())
                .build();
    }

    /**
     * Another process has changed one of two cached buckets, so the first write changes the other one only. Then its answer is
     * lost, or reading the changed bucket fails.
     */
    @ParameterizedTest
    @ValueSource(strings = {"update", "find"})
    void repeatedReleaseKnowsWhatItReleased(String command) {
        String url = url();
        try (RawBackend raw = RawBackend.open(url);
                RawBackend other = RawBackend.open(url)) {
            raw.insert("a0", "a1");
            raw.insert("b0", "b1");
            List<StoredMessage> mine = raw.claim(3).messages();
            assertThat(other.claim(1).messages()).hasSize(1);
            ReleaseRequest request = releasing(null, mine.get(0), mine.get(2));
            if (command.equals("update")) {
                unconfirmed(command, () -> got(raw.store().release(request)));
            } else {
                try (MongoFailPoint failing = MongoFailPoint.refusing(set, command, 0, NOT_ALLOWED)) {
                    assertThat(failing).isNotNull();
                    assertThatThrownBy(() -> got(raw.store().release(request)))
                            .isInstanceOf(OutcomeUnknownException.class);
                }
            }
            assertThat(texts(other.claim(1)))
                    .as("released by the first attempt")
                    .containsExactly("a0");
            assertThat(got(raw.store().release(request)).outcomes()).containsExactly(Outcome.DONE, Outcome.DONE);
            assertThat(texts(other.claim(9))).containsExactly("b0");
        }
    }

    /** One bucket is released in place; the other one holds more than was cached, so the message must leave it. */
    @Test
    void repeatedReleaseInTwoStepsKnowsTheFirst() {
        String url = url();
        try (RawBackend raw = RawBackend.open(url);
                RawBackend other = RawBackend.open(url)) {
            raw.insert("b0", "b1");
            List<StoredMessage> back = got(other.store().take(claiming(1))).messages();
            raw.insert("a");
            List<StoredMessage> mine = raw.claim(2).messages();
            got(other.store()
                    .restore(RestoreRequest.builder()
                            .messages(back)
                            .token(token())
                            .build()));
            ReleaseRequest request = releasing(Due.in(1), mine.toArray(StoredMessage[]::new));
            try (MongoFailPoint failing = MongoFailPoint.refusing(set, "commitTransaction", 0, NOT_ALLOWED)) {
                assertThat(failing).isNotNull();
                assertThatThrownBy(() -> got(raw.store().release(request))).isInstanceOf(OutcomeUnknownException.class);
            }
            assertThat(got(raw.store().release(request)).outcomes()).containsExactly(Outcome.DONE, Outcome.DONE);
            List<String> out = new ArrayList<>();
            Awaitility.await("what was released and put back").until(() -> {
                out.addAll(raw.take(9));
                return out.size() >= 3;
            });
            assertThat(out).containsExactlyInAnyOrder("a", "b0", "b1");
        }
    }
}
