package dev.jono.backend.bucketmongo;

import static dev.jono.testkit.RawBackend.acking;
import static dev.jono.testkit.RawBackend.claiming;
import static dev.jono.testkit.RawBackend.got;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.jono.spi.Backend;
import dev.jono.spi.QueueStore;
import dev.jono.spi.SettleResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.testing.CommandHooks;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.MongoServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Buckets of keuss that are almost as large as the server allows, so that Jono's fields do not fit in. */
@Tag("fault")
@Execution(ExecutionMode.SAME_THREAD) // the tests share a server
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FullBucketsCase {
    private static final int MOST_BYTES = 16 << 20;

    private final String uri;
    private final String storing;
    private final AutoCloseable running;
    private final CommandHooks hooks = new CommandHooks();
    private final MongoClient client;

    /** Runs on a server that no other test uses. */
    FullBucketsCase(Running server) {
        this.uri = server.uri();
        this.storing = server.storing();
        this.running = server.server();
        this.client = hooks.client(uri);
    }

    /**
     * A running server.
     *
     * @param storing the first command that stores something
     */
    record Running(String uri, String storing, AutoCloseable server) {}

    /** A server with a larger cache: the shared servers have too small ones for such documents. */
    static MongoServer.Builder server() {
        return MongoServer.builder().option("wiredTigerCacheSizeGB", "1");
    }

    @AfterEach
    void drop() {
        orders().drop();
    }

    @AfterAll
    void stop() throws Exception {
        client.close();
        running.close();
    }

    private RawBackend open() {
        return RawBackend.open(TestDatabases.url("bucket-mongo-safe", uri, "jono.one-database=true"));
    }

    private MongoCollection<BsonDocument> orders() {
        return client.getDatabase("jono").getCollection("orders", BsonDocument.class);
    }

    private List<String> fullBucketOfKeuss(int messages, int left) {
        BsonDocument bucket = new BsonDocument("_id", new BsonObjectId(new ObjectId()))
                .append("mature", new BsonDateTime(1))
                .append("tries", new BsonInt32(0))
                .append("n", new BsonInt32(messages));
        List<String> payloads = new ArrayList<>();
        BsonArray slots = new BsonArray();
        bucket.append("b", slots);
        for (int i = 0; i < messages; i++) {
            payloads.add(i + "x".repeat((MOST_BYTES - left - 150) / messages - 60));
            slots.add(slot(payloads.get(i)));
        }
        int spare = MOST_BYTES
                - left
                - new RawBsonDocument(bucket, new BsonDocumentCodec())
                        .getByteBuffer()
                        .remaining();
        payloads.set(messages - 1, payloads.get(messages - 1) + "y".repeat(spare));
        slots.set(messages - 1, slot(payloads.get(messages - 1)));
        orders().insertOne(bucket);
        return payloads;
    }

    private static BsonDocument slot(String payload) {
        return new BsonDocument("__p", new BsonString(payload)).append("__h", new BsonDocument());
    }

    private static List<String> texts(List<StoredMessage> messages) {
        return messages.stream().map(message -> message.payload().text()).toList();
    }

    @ParameterizedTest
    @CsvSource({"2, 0", "5000, 10"})
    void fullBucketOfKeussIsReserved(int messages, int left) {
        try (RawBackend raw = open()) {
            List<String> payloads = fullBucketOfKeuss(messages, left);
            List<String> out = new ArrayList<>();
            while (out.size() < messages) {
                List<StoredMessage> some = raw.claim(messages).messages();
                assertThat(some).isNotEmpty();
                out.addAll(texts(some));
                assertThat(got(raw.store().ack(acking(some.toArray(StoredMessage[]::new))))
                                .outcomes())
                        .containsOnly(SettleResult.Outcome.DONE);
            }
            assertThat(out).isEqualTo(payloads);
            assertThat(orders().countDocuments()).isZero();
        }
    }

    /** Each message has a lease with an end of its own. */
    @ParameterizedTest
    @ValueSource(ints = {40})
    void eachMessageOfFullBucketOfKeussIsClaimedAlone(int messages) {
        try (RawBackend raw = open()) {
            List<String> payloads = fullBucketOfKeuss(messages, 0);
            List<StoredMessage> held = new ArrayList<>();
            while (held.size() < messages) {
                held.addAll(raw.claim(1).messages());
            }
            assertThat(texts(held)).isEqualTo(payloads);
            assertThat(got(raw.store().ack(acking(held.toArray(StoredMessage[]::new))))
                            .outcomes())
                    .containsOnly(SettleResult.Outcome.DONE);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50})
    void fullBucketOfKeussIsPoppedOneByOne(int messages) {
        try (RawBackend raw = open()) {
            List<String> payloads = fullBucketOfKeuss(messages, 0);
            for (String payload : payloads) {
                assertThat(raw.take(1)).containsExactly(payload);
            }
        }
    }

    /** The messages are marked before they are removed. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void fullBucketOfKeussIsPoppedTogetherWithAnother(int messages) {
        try (RawBackend raw = open()) {
            List<String> payloads = fullBucketOfKeuss(messages, 0);
            raw.insert("last");
            List<String> out = new ArrayList<>();
            while (out.size() <= messages) {
                List<String> some = raw.take(messages + 1);
                assertThat(some).isNotEmpty();
                out.addAll(some);
            }
            assertThat(out.subList(0, messages)).isEqualTo(payloads);
            assertThat(out.get(messages)).isEqualTo("last");
        }
    }

    /** Just before one process makes room, another one does, and takes the first message. */
    @Test
    void twoThatMakeRoomAtOnceLoseNothing() {
        try (RawBackend other = open();
                Backend backend = Fixture.over(client, "jono")) {
            QueueStore store = Fixture.orders(backend);
            List<String> payloads = fullBucketOfKeuss(4, 0);
            List<String> out = new ArrayList<>();
            hooks.before(storing, () -> out.addAll(other.take(1)));
            while (out.size() < 4) {
                List<StoredMessage> some = got(store.take(claiming(9))).messages();
                assertThat(some).isNotEmpty();
                out.addAll(texts(some));
            }
            assertThat(hooks.done()).isTrue();
            assertThat(out).isEqualTo(payloads);
            assertThat(other.take(9)).isEmpty();
        }
    }

    /** As after a crash between two writes, without a transaction: a message is in its slot and in its own bucket. */
    @Test
    void messageThatIsStoredTwiceIsTakenOnce() {
        try (RawBackend raw = open()) {
            List<String> payloads = fullBucketOfKeuss(4, 0);
            String id = Objects.requireNonNull(orders().find().first())
                            .getObjectId("_id")
                            .getValue() + ":3";
            orders().insertOne(BucketWriter.own(SlotAddress.ofOwnBucket(id), slot(payloads.get(3)), id, 2, 0, false));
            assertThat(raw.take(1)).containsExactly(payloads.get(0));
            assertThat(raw.take(1)).containsExactly(payloads.get(1));
            assertThat(raw.take(1)).containsExactly(payloads.get(2));
            assertThat(raw.take(1)).containsExactly(payloads.get(3));
            assertThat(raw.take(1)).isEmpty();
        }
    }
}
