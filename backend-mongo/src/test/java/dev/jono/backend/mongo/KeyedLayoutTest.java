package dev.jono.backend.mongo;

import static dev.jono.backend.mongo.KeyedStore.acking;
import static dev.jono.backend.mongo.KeyedStore.claim;
import static dev.jono.backend.mongo.KeyedStore.claiming;
import static dev.jono.backend.mongo.KeyedStore.insert;
import static dev.jono.backend.mongo.KeyedStore.releasing;
import static dev.jono.testkit.RawBackend.got;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.jono.spi.DeleteRequest;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.QueueStore;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.MongoReplicaSet;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a keyed queue stores, and what programs see that do not know of keys. */
class KeyedLayoutTest {
    private static final int KEYS = 50_000;
    private static final int LIST = 1_000;

    private final String name = TestDatabases.newName();
    private final MongoDatabase database = TestDatabases.client().getDatabase(name);
    private final MongoCollection<BsonDocument> collection = KeyedStore.collection(database);
    private final RawBackend raw =
            RawBackend.open(TestDatabases.url("mongo", MongoReplicaSet.sharedUri(name), "jono.one-database=true"));
    private final QueueStore store = KeyedStore.of(raw.backend(), 1);

    @AfterEach
    void drop() {
        raw.close();
        database.drop();
    }

    /** Takes and claims all messages until none is left. */
    private void consumeAll() {
        while (true) {
            List<StoredMessage> claimed = claim(store, 500);
            if (claimed.isEmpty()) {
                return;
            }
            got(store.ack(acking(claimed)));
        }
    }

    @Test
    void keysThatAppearAndVanishLeaveNothing() {
        for (int first = 0; first < KEYS; first += LIST) {
            got(store.insert(InsertRequest.builder()
                    .messages(IntStream.range(first, first + LIST)
                            .mapToObj(i -> KeyedStore.message("x", "k" + i).build())
                            .toList())
                    .token(RawBackend.token())
                    .build()));
        }
        assertThat(collection.countDocuments()).isEqualTo(2 * KEYS + 1);
        consumeAll();
        assertThat(collection.find()).as("the document of the queue alone").hasSize(1);
    }

    /** The profiler of MongoDB tells how many index entries each command has read. */
    @Test
    void noStepReadsTheBlockedMessagesOfAKey() {
        insert(store, IntStream.range(0, LIST).mapToObj(i -> "a" + i).toArray(String[]::new));
        insert(store, "b0", "b1");
        database.runCommand(new BsonDocument("profile", new BsonInt32(2)));
        List<StoredMessage> claimed = claim(store, 2);
        assertThat(KeyedStore.texts(claimed)).containsExactly("a0", "b0");
        got(store.release(releasing(claimed.get(0), true)));
        got(store.ack(acking(List.of(claimed.get(1)))));
        got(store.ack(acking(claim(store, 9))));
        insert(store, "a" + LIST);
        assertThat(KeyedStore.texts(got(store.take(claiming(9, 1))).messages())).containsExactly("a1");
        database.runCommand(new BsonDocument("profile", new BsonInt32(0)));
        List<BsonDocument> commands = database.getCollection("system.profile", BsonDocument.class)
                .find(Filters.eq("ns", name + ".orders"))
                .into(new ArrayList<>());
        assertThat(commands)
                .hasSizeGreaterThan(10)
                .allSatisfy(command -> assertThat(command.getNumber("keysExamined", new BsonInt32(0))
                                .intValue())
                        .isLessThan(LIST / 10));
    }

    @Test
    void textsOfKeysAreNoExpressions() {
        for (String key : List.of("$tries", "a.b", "$$NOW", "{", "\u00e9\u20ac")) {
            got(store.insert(InsertRequest.builder()
                    .messages(List.of(
                            KeyedStore.message("1", key).build(),
                            KeyedStore.message("2", key).build()))
                    .token(RawBackend.token())
                    .build()));
            assertThat(KeyedStore.texts(claim(store, 9))).containsExactly("1");
            assertThat(KeyedStore.counts(store).blocked()).isEqualTo(1);
            got(store.purge());
            Fixture.expireKeyed(collection);
            assertThat(got(store.purge())).isEqualTo(1);
        }
        assertThat(collection.find()).hasSize(1);
    }

    /** A process of keuss pops what {@code mature} and {@code reserved} select. */
    @Test
    void programsWithoutKeysFindNoMessageAndStoreNone() {
        insert(store, "a1", "a2", "b1");
        assertThat(claim(store, 1)).hasSize(1);
        assertThat(collection.find(Filters.exists("mature"))).isEmpty();
        assertThatThrownBy(() -> collection.insertOne(BsonDocument.parse("{mature: {$date: 0}, payload: 1, tries: 0}")))
                .isInstanceOf(MongoWriteException.class)
                .hasMessageContaining("failed validation");
        assertThatThrownBy(() -> collection.updateOne(Filters.eq("payload", "a1"), Updates.unset("keyed")))
                .isInstanceOf(MongoWriteException.class);
    }

    @Test
    void deletedQueueLeavesNothing() {
        insert(store, "a1", "a2");
        assertThat(got(store.delete(DeleteRequest.builder().build())).deleted()).isFalse();
        consumeAll();
        assertThat(got(store.delete(DeleteRequest.builder().build())).deleted()).isTrue();
        assertThat(database.listCollectionNames()).doesNotContain("orders");
        raw.insert("x");
        assertThat(raw.take(9)).as("the queue is not keyed any more").containsExactly("x");
    }
}
