package dev.jono.backend.bucketmongo;

import static dev.jono.testkit.RawBackend.acking;
import static dev.jono.testkit.RawBackend.claiming;
import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.message;
import static dev.jono.testkit.RawBackend.receipt;
import static dev.jono.testkit.RawBackend.token;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Sorts;
import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.spi.Backend;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.Due;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.NewMessage;
import dev.jono.spi.QueueStore;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.testing.CommandHooks;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.MongoReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two processes hold messages of the same buckets: each changes buckets that the other one has cached. */
@Timeout(60)
class SharedBucketsTest {
    private final String database = TestDatabases.newName();
    private final String url =
            TestDatabases.url("bucket-mongo-safe", MongoReplicaSet.sharedUri(database), "jono.one-database=true");
    private final CommandHooks hooks = new CommandHooks();
    private final MongoClient client = hooks.client(MongoReplicaSet.sharedUri(database));
    private final RawBackend other = RawBackend.open(url);
    private final Backend backend = Fixture.over(client, database);
    private final QueueStore orders = Fixture.orders(backend);

    @BeforeEach
    void createIndexes() {
        other.insert("first");
        assertThat(other.take(1)).hasSize(1);
    }

    @AfterEach
    void drop() {
        backend.close();
        other.close();
        client.close();
        TestDatabases.client().getDatabase(database).drop();
    }

    private MongoCollection<BsonDocument> collection() {
        return TestDatabases.client().getDatabase(database).getCollection("orders", BsonDocument.class);
    }

    private static List<String> texts(ClaimResult result) {
        return result.messages().stream()
                .map(message -> message.payload().text())
                .toList();
    }

    private static ReleaseRequest releasing(StoredMessage message, @Nullable Due due) {
        return ReleaseRequest.builder()
                .items(List.of(ReleaseRequest.Item.of(receipt(message), due, due != null)))
                .token(token())
                .build();
    }

    /** Each claim outdates the bucket in the cache of the other process. */
    @Test
    void receiptIsValidInProcessWithOutdatedCache() {
        other.insert("a", "b", "c", "d", "e");
        QueueStore otherStore = other.store();
        assertThat(other.claim(1).messages()).hasSize(1);
        assertThat(got(otherStore.ack(acking(claimed("b")))).outcomes()).containsExactly(Outcome.DONE);
        ExtendRequest extend = ExtendRequest.builder()
                .receipts(List.of(receipt(claimed("c"))))
                .leaseMillis(60_000)
                .token(token())
                .build();
        assertThat(got(otherStore.extend(extend)).outcomes()).containsExactly(Outcome.DONE);
        assertThat(got(otherStore.release(releasing(claimed("d"), null))).outcomes())
                .containsExactly(Outcome.DONE);
        StoredMessage again = claimed("d");
        assertThat(got(otherStore.release(releasing(again, Due.in(0)))).outcomes())
                .containsExactly(Outcome.DONE);
        assertThat(got(otherStore.ack(acking(again))).outcomes()).doesNotContain(Outcome.DONE);
    }

    private StoredMessage claimed(String text) {
        ClaimResult result = got(orders.claim(claiming(1)));
        assertThat(texts(result)).containsExactly(text);
        return result.messages().get(0);
    }

    /** The own bucket of a message is created again when the message comes back, with a random version. */
    @Test
    void bucketCreatedAgainReplacesTheCachedOne() {
        ClaimRequest.Builder brief = ClaimRequest.builder().max(1).leaseMillis(1);
        for (int round = 0; round < 20; round++) {
            NewMessage message = NewMessage.builder()
                    .id("order-" + round)
                    .payload(EncodedPayload.of(PayloadKind.STRING, new byte[] {'a'}))
                    .build();
            other.insert(message);
            assertThat(got(orders.claim(brief.token(token()).build())).messages())
                    .hasSize(1);
            Awaitility.await("the end of its lease")
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> !other.take(1).isEmpty());
            other.insert(message);
            assertThat(got(orders.take(claiming(1))).messages())
                    .as("round %s", round)
                    .extracting(StoredMessage::id)
                    .containsExactly("order-" + round);
        }
    }

    /** A deletion of the queue undoes the mark of one bucket before the removal, which then finds only the other one. */
    @Test
    void popReturnsNoMessageWhoseMarkWasUndone() {
        other.insert("a");
        other.insert("b");
        hooks.before("delete", () -> {
            BsonDocument last =
                    collection().find().sort(Sorts.descending("_id")).first();
            collection()
                    .updateOne(
                            Objects.requireNonNull(last),
                            List.of(
                                    BsonDocument.parse("{$set: {mature: '$due', free: '$due', v: {$add: ['$v', 1]}}}"),
                                    BsonDocument.parse("{$unset: ['held', 'lease', 'due', 'reserved']}")));
        });
        assertThat(texts(got(orders.take(claiming(2))))).containsExactly("a");
        assertThat(hooks.done()).isTrue();
        assertThat(other.take(5)).containsExactly("b");
    }

    @Test
    void ackOfSeveralBucketsIsDoneThoughAnotherProcessChangesOneAfterIt() {
        other.insert("a0", "a1");
        other.insert("b0", "b1");
        List<StoredMessage> mine = got(orders.claim(claiming(3))).messages();
        assertThat(other.claim(1).messages()).hasSize(1); // so the cached bucket of b is outdated
        List<Outcome> theirs = new ArrayList<>();
        hooks.after(
                "update",
                () -> theirs.addAll(got(other.store().ack(acking(mine.get(1)))).outcomes()));
        assertThat(got(orders.ack(acking(mine.get(0), mine.get(2)))).outcomes())
                .containsExactly(Outcome.DONE, Outcome.DONE);
        assertThat(theirs).containsExactly(Outcome.DONE);
        assertThat(collection().countDocuments()).isEqualTo(1);
    }

    /** The release by the same receipt took effect, so the ack certainly did not. */
    @Test
    void ackOfMessageThatAnotherProcessReleasedMeanwhileIsStale() {
        other.insert("a0", "a1");
        other.insert("b0", "b1");
        List<StoredMessage> mine = got(orders.claim(claiming(3))).messages();
        assertThat(other.claim(1).messages()).hasSize(1);
        hooks.after("update", () -> got(other.store().release(releasing(mine.get(2), null))));
        assertThat(got(orders.ack(acking(mine.get(0), mine.get(2)))).outcomes())
                .containsExactly(Outcome.DONE, Outcome.STALE);
        assertThat(texts(other.claim(5))).containsExactly("b0");
    }

    @Test
    void releaseOfSeveralBucketsIsDoneThoughAnotherProcessClaimsAfterIt() {
        other.insert("a0", "a1");
        other.insert("b0", "b1");
        List<StoredMessage> mine = got(orders.claim(claiming(3))).messages();
        assertThat(other.claim(1).messages()).hasSize(1);
        List<String> theirs = new ArrayList<>();
        hooks.after("update", () -> theirs.addAll(texts(other.claim(1))));
        ReleaseRequest release = ReleaseRequest.builder()
                .items(List.of(
                        ReleaseRequest.Item.of(receipt(mine.get(0)), null, false),
                        ReleaseRequest.Item.of(receipt(mine.get(2)), null, false)))
                .token(token())
                .build();
        assertThat(got(orders.release(release)).outcomes()).containsExactly(Outcome.DONE, Outcome.DONE);
        assertThat(theirs).containsExactly("a0");
    }

    /** As after a pause that is longer than the lease with which a pop marks the messages to remove. */
    @Test
    void popReturnsNoMessageThatAnotherProcessTookFirst() {
        other.insert("a");
        other.insert("b");
        List<String> theirs = new ArrayList<>();
        hooks.before("delete", () -> {
            Fixture.expire(collection());
            theirs.addAll(other.take(1));
        });
        List<String> mine = texts(got(orders.take(claiming(2))));
        assertThat(hooks.done()).isTrue();
        assertThat(theirs).hasSize(1);
        assertThat(mine).doesNotContainAnyElementsOf(theirs);
        List<String> all = new ArrayList<>(mine);
        all.addAll(theirs);
        all.addAll(texts(got(orders.take(claiming(2)))));
        assertThat(all).containsExactlyInAnyOrder("a", "b");
        assertThat(collection().countDocuments()).isZero();
    }

    @Test
    void popOfPartOfBucketThatAnotherProcessChangesReturnsItsPart() {
        other.insert("a");
        other.insert("b", "c", "d");
        hooks.before("delete", () -> assertThat(other.take(1)).containsExactly("d"));
        assertThat(texts(got(orders.take(claiming(3))))).containsExactly("a", "b", "c");
        assertThat(hooks.done()).isTrue();
        assertThat(Objects.requireNonNullElse(collection().find().first(), new BsonDocument()))
                .isEmpty();
    }
}
