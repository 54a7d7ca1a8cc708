package dev.jono.signal.mongocapped;

import static dev.jono.signal.mongocapped.Signallers.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.jono.StorageException;
import dev.jono.signal.mongocapped.Signallers.Ear;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoServer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The capped collection, when it is not there, not what it should be, or lost. */
class ChannelTest {
    private final String name = "jono_test_" + UUID.randomUUID().toString().substring(0, 13);
    private final MongoClient client = MongoClients.create(MongoReplicaSet.sharedUri("admin"));
    private final MongoDatabase database = client.getDatabase(name + "_signal");

    @AfterEach
    void drop() {
        database.drop();
        client.close();
    }

    private void heardAgain(Signaller signaller, Ear ear) {
        int gaps = ear.gaps.get();
        await("a gap", () -> ear.gaps.get() > gaps);
        int heard = ear.heard.size();
        signaller.publish(Signal.inserted("orders", 7)).toCompletableFuture().join();
        await("a signal", () -> ear.heard.size() > heard);
    }

    @Test
    void channelThatIsDroppedIsMadeAnewAndTheGapIsTold() {
        try (Signaller signaller = Signallers.open(MongoReplicaSet.sharedUri(name), "NS")) {
            Ear ear = new Ear();
            signaller.subscribe("orders", ear);
            await("the first look", () -> ear.gaps.get() > 0);
            database.getCollection("default").drop();
            heardAgain(signaller, ear);
            assertThat(ear.gaps).hasValueLessThan(10);
        }
    }

    @Test
    void waitIsShorterThanACommandMayTake() {
        String uri = MongoReplicaSet.sharedUri(name);
        try (Signaller signaller =
                Signallers.open(uri + (uri.contains("?") ? "&" : "?") + "jono.timeout=600ms", "NS")) {
            Ear ear = new Ear();
            signaller.subscribe("orders", ear);
            await("the first look", () -> ear.gaps.get() > 0);
            int gaps = ear.gaps.get();
            Awaitility.await("some waits of nothing")
                    .during(Duration.ofSeconds(2))
                    .atMost(Duration.ofSeconds(4))
                    .until(() -> ear.gaps.get() == gaps);
            signaller
                    .publish(Signal.inserted("orders", 7))
                    .toCompletableFuture()
                    .join();
            await("a signal", () -> ear.heard.size() == 1);
        }
    }

    @Test
    void signalsOfBeforeAreNotToldAgain() {
        try (Signaller signaller = Signallers.open(MongoReplicaSet.sharedUri(name), "NS")) {
            for (int i = 0; i < 200; i++) {
                signaller
                        .publish(Signal.inserted("orders", 1_000 + i))
                        .toCompletableFuture()
                        .join();
            }
            Ear ear = new Ear();
            signaller.subscribe("orders", ear);
            await("the first look", () -> ear.gaps.get() > 0);
            signaller
                    .publish(Signal.inserted("orders", 7))
                    .toCompletableFuture()
                    .join();
            await("the new one", () -> !ear.heard.isEmpty());
            assertThat(ear.heard).extracting(Signal::dueMillis).containsExactly(7L);
        }
    }

    @Test
    void channelThatRollsOverTheReaderIsFollowedFromItsEnd() {
        try (Signaller signaller = Signallers.open(MongoReplicaSet.sharedUri(name), "NS")) {
            Ear ear = new Ear();
            signaller.subscribe("orders", ear);
            await("the first look", () -> ear.gaps.get() > 0);
            // More at once than the channel holds: what the reader stood on is gone.
            BsonDocument large = new BsonDocument("filler", new BsonBinary(new byte[1 << 20]));
            database.getCollection("default", BsonDocument.class)
                    .insertMany(
                            IntStream.range(0, 12).mapToObj(i -> large.clone()).toList());
            int heard = ear.heard.size();
            signaller
                    .publish(Signal.inserted("orders", 7))
                    .toCompletableFuture()
                    .join();
            await("a signal, or a gap", () -> ear.heard.size() > heard || ear.gaps.get() > 1);
            signaller
                    .publish(Signal.inserted("orders", 8))
                    .toCompletableFuture()
                    .join();
            await("the next", () -> ear.heard.stream().anyMatch(signal -> signal.dueMillis() == 8));
        }
    }

    @Test
    void ordinaryCollectionInItsPlaceIsRefusedAndAnotherSignallerNamed() {
        database.createCollection("default");
        assertThatThrownBy(() -> Signallers.open(MongoReplicaSet.sharedUri(name), "NS"))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining(name + "_signal.default")
                .hasMessageContaining("not capped")
                .hasMessageContaining("redis-pubsub");
    }

    @Test
    void serverWithoutCappedCollectionsIsToldAndAnotherSignallerNamed() {
        try (MongoReplicaSet set =
                MongoReplicaSet.start(1, MongoServer.builder().parameter("enableTestCommands", "1"))) {
            Map<String, Object> refuse = new LinkedHashMap<>();
            refuse.put("configureFailPoint", "failCommand");
            refuse.put("mode", "alwaysOn");
            refuse.put("data", Map.of("failCommands", List.of("create"), "errorCode", 115));
            set.awaitPrimary().call("admin", refuse);
            assertThatThrownBy(() -> Signallers.open(set.uri(name), "NS"))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("cannot be created")
                    .hasMessageContaining("redis-pubsub");
        }
    }
}
