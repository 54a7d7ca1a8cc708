package dev.jono.support.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexModel;
import dev.jono.ConfigurationException;
import dev.jono.StorageException;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections, sessions and indexes on real servers. */
class MongoLinkTest {
    private final String database = "jono_test_" + UUID.randomUUID().toString().substring(0, 13);

    @AfterEach
    void drop() {
        try (MongoClient client = MongoClients.create(MongoReplicaSet.sharedUri(database))) {
            client.getDatabase(database).drop();
        }
    }

    private static MongoLink open(String url) {
        return MongoLink.open(config(url).build(), Set.of());
    }

    private static PluginConfig.Builder config(String url) {
        return PluginConfig.builder().url(ConnectionUrl.parse(url)).executor(Runnable::run);
    }

    private MongoLink shared() {
        return open("mongo:" + MongoReplicaSet.sharedUri(database));
    }

    @Test
    void knowsAReplicaSetFromAStandaloneServer() {
        try (MongoLink set = shared();
                MongoLink alone = open("mongo:" + MongoServer.sharedUri(database))) {
            assertThat(set.replicated()).isTrue();
            assertThat(alone.replicated()).isFalse();
        }
    }

    @Test
    void writesAreOnTheDisksOfAMajority() {
        try (MongoLink link = shared()) {
            assertThat(link.database().getWriteConcern().getWString()).isEqualTo("majority");
            assertThat(link.database().getWriteConcern().getJournal()).isTrue();
        }
    }

    @Test
    void missingServerIsReportedInTimeAndWithoutThePassword() {
        assertThatThrownBy(() -> open("mongo:mongodb://u:hunter2@127.0.0.1:1/x?jono.timeout=300ms"))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("127.0.0.1")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void wrongPasswordIsReportedAndNotShown() {
        String uri = MongoReplicaSet.sharedUri(database).replace("mongodb://", "mongodb://u:hunter2@");
        assertThatThrownBy(() -> open("mongo:" + uri))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("check user, password")
                .hasMessageNotContaining("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo:http://u:hunter2@h/x", "mongo:mongodb://u:hunter2:@@h/x", "mongo:mongodb://"})
    void urlThatNamesNoServerIsRefusedWithoutThePassword(String url) {
        assertThatThrownBy(() -> open(url))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("mongodb://user:password@host1")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void clientOfTheApplicationStaysOpen() {
        try (MongoClient client = MongoClients.create(MongoReplicaSet.sharedUri("other"))) {
            PluginConfig config =
                    config("mongo:").storage(MongoStorage.of(client, database)).build();
            try (MongoLink link = MongoLink.open(config, Set.of())) {
                assertThat(link.database().getName()).isEqualTo(database);
            }
            assertThat(client.getDatabase(database).runCommand(new BsonDocument("ping", new BsonInt32(1))))
                    .containsKey("ok");
        }
    }

    @Test
    void lastUserOfAConnectionClosesIt() {
        MongoLink first = shared();
        MongoLink second = MongoLink.open(config("mongo-capped:").storage(first).build(), Set.of());
        first.close();
        first.close();
        assertThat(second.database().listCollectionNames()).isEmpty();
        second.close();
        assertThatThrownBy(() -> second.call(
                        "look",
                        null,
                        false,
                        () -> second.database().listCollectionNames().first()))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("closed");
    }

    private static RawBsonDocument document(int id) {
        return RawBsonDocument.parse("{_id: " + id + "}");
    }

    @Test
    void repeatedWriteTakesEffectOnceAlsoAfterItsDocumentsAreDeleted() {
        try (MongoLink link = shared();
                PinnedSession session = new PinnedSession(link)) {
            MongoCollection<RawBsonDocument> collection = link.collection("c");
            List<RawBsonDocument> documents = List.of(document(1), document(2));
            collection.insertMany(session.attempt(), documents);
            collection.insertMany(session.attempt(), documents);
            assertThat(collection.countDocuments()).isEqualTo(2);
            collection.deleteMany(new BsonDocument());
            collection.insertMany(session.attempt(), documents);
            assertThat(collection.countDocuments()).isZero();
        }
    }

    @Test
    void attemptMayHoldOneCommandOnly() {
        try (MongoLink link = shared();
                PinnedSession session = new PinnedSession(link)) {
            var attempt = session.attempt();
            link.collection("c").insertOne(attempt, document(1));
            assertThatThrownBy(() -> link.collection("c").insertOne(attempt, document(2)))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(link.collection("c").countDocuments()).isEqualTo(1);
        }
    }

    @Test
    void indexesCanBeCreatedByManyAtOnce() {
        try (MongoLink link = shared()) {
            IndexModel index = new IndexModel(new BsonDocument("mature", new BsonInt32(1)));
            CountDownLatch start = new CountDownLatch(1);
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                all.add(CompletableFuture.runAsync(
                        () -> {
                            try {
                                start.await();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                            new Indexes(System::nanoTime, true).ensure(link.collection("c"), List.of(index), true);
                        },
                        task -> new Thread(task).start()));
            }
            start.countDown();
            all.forEach(CompletableFuture::join);
            assertThat(link.collection("c").listIndexes()).hasSize(2);
        }
    }

    @Test
    void droppedIndexIsCreatedAgainAfterAMinute() {
        try (MongoLink link = shared()) {
            List<IndexModel> index = List.of(new IndexModel(new BsonDocument("mature", new BsonInt32(1))));
            AtomicLong seconds = new AtomicLong();
            Indexes indexes = new Indexes(() -> TimeUnit.SECONDS.toNanos(seconds.get()), true);
            indexes.ensure(link.collection("c"), index, true);
            link.collection("c").dropIndexes();
            seconds.set(59);
            indexes.ensure(link.collection("c"), index, true);
            assertThat(link.collection("c").listIndexes()).hasSize(1);
            seconds.set(61);
            indexes.ensure(link.collection("c"), index, true);
            assertThat(link.collection("c").listIndexes()).hasSize(2);
        }
    }

    @Test
    void readCreatesNoCollection() {
        try (MongoLink link = shared()) {
            List<IndexModel> index = List.of(new IndexModel(new BsonDocument("mature", new BsonInt32(1))));
            AtomicLong seconds = new AtomicLong();
            Indexes indexes = new Indexes(() -> TimeUnit.SECONDS.toNanos(seconds.get()), true);
            indexes.ensure(link.collection("c"), index, false);
            assertThat(link.database().listCollectionNames()).isEmpty();
            link.collection("c").insertOne(RawBsonDocument.parse("{_id: 1}"));
            seconds.set(2);
            indexes.ensure(link.collection("c"), index, false);
            assertThat(link.collection("c").listIndexes()).hasSize(2);
            link.collection("c").drop();
            seconds.set(70);
            indexes.ensure(link.collection("c"), index, false);
            assertThat(link.database().listCollectionNames()).isEmpty();
            indexes.forget(link.collection("c"));
            indexes.ensure(link.collection("c"), index, true);
            assertThat(link.collection("c").listIndexes()).hasSize(2);
        }
    }
}
