package dev.jono.signal.mongocapped;

import static dev.jono.signal.mongocapped.Signallers.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandSucceededEvent;
import dev.jono.StorageException;
import dev.jono.signal.mongocapped.Signallers.RecordingListener;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import dev.jono.support.mongo.MongoStorage;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    private void heardAgain(Signaller signaller, RecordingListener ear) {
        int gaps = ear.gaps.get();
        await("a gap", () -> ear.gaps.get() > gaps);
        int heard = ear.signals.size();
        signaller.publish(Signal.inserted("orders", 7)).toCompletableFuture().join();
        await("a signal", () -> ear.signals.size() > heard);
    }

    @Test
    void channelThatIsDroppedIsMadeAnewAndTheGapIsTold() {
        try (Signaller signaller = Signallers.open(MongoReplicaSet.sharedUri(name), "NS")) {
            RecordingListener ear = new RecordingListener();
            signaller.subscribe("orders", ear);
            await("the first look", () -> ear.gaps.get() > 0);
            database.getCollection("default").drop();
            heardAgain(signaller, ear);
            assertThat(ear.gaps).hasValueLessThan(10);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jono.timeout=600ms", "socketTimeoutMS=500", "timeoutMS=500"})
    void waitForSignalsIsNotTakenForACommandThatIsNotAnswered(String option) {
        String uri = MongoReplicaSet.sharedUri(name);
        try (Signaller signaller = Signallers.open(uri + (uri.contains("?") ? "&" : "?") + option, "NS")) {
            assertWaitsInPeace(signaller);
        }
    }

    @Test
    void shortReadTimeoutOfAClientThatIsHandedInEndsNoWait() {
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(MongoReplicaSet.sharedUri("admin")))
                .applyToSocketSettings(socket -> socket.readTimeout(500, TimeUnit.MILLISECONDS))
                .build();
        try (MongoClient own = MongoClients.create(settings);
                Signaller signaller = Signallers.open(MongoStorage.of(own, name), "NS")) {
            assertWaitsInPeace(signaller);
        }
    }

    private static void assertWaitsInPeace(Signaller signaller) {
        RecordingListener ear = new RecordingListener();
        signaller.subscribe("orders", ear);
        await("the first look", () -> ear.gaps.get() > 0);
        int gaps = ear.gaps.get();
        Awaitility.await("some waits of nothing")
                .during(Duration.ofSeconds(2))
                .atMost(Duration.ofSeconds(4))
                .until(() -> ear.gaps.get() == gaps);
        signaller.publish(Signal.inserted("orders", 7)).toCompletableFuture().join();
        await("a signal", () -> ear.signals.size() == 1);
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
            RecordingListener ear = new RecordingListener();
            signaller.subscribe("orders", ear);
            await("the first look", () -> ear.gaps.get() > 0);
            signaller
                    .publish(Signal.inserted("orders", 7))
                    .toCompletableFuture()
                    .join();
            await("the new one", () -> !ear.signals.isEmpty());
            assertThat(ear.signals).extracting(Signal::dueMillis).containsExactly(7L);
        }
    }

    @Test
    void channelThatRollsOverTheReaderIsFollowedFromItsEnd() {
        try (Signaller signaller = Signallers.open(MongoReplicaSet.sharedUri(name), "NS")) {
            RecordingListener ear = new RecordingListener();
            signaller.subscribe("orders", ear);
            await("the first look", () -> ear.gaps.get() > 0);
            rollOver();
            int heard = ear.signals.size();
            signaller
                    .publish(Signal.inserted("orders", 7))
                    .toCompletableFuture()
                    .join();
            await("a signal, or a gap", () -> ear.signals.size() > heard || ear.gaps.get() > 1);
            signaller
                    .publish(Signal.inserted("orders", 8))
                    .toCompletableFuture()
                    .join();
            await("the next", () -> ear.signals.stream().anyMatch(signal -> signal.dueMillis() == 8));
        }
    }

    /** What a command's end brings about, once, on a client of this test's. */
    private static final class AfterCommand implements CommandListener {
        private final Map<String, Runnable> onEnd = new ConcurrentHashMap<>();

        @Override
        public void commandSucceeded(CommandSucceededEvent event) {
            Runnable action = onEnd.remove(event.getCommandName());
            if (action != null) {
                action.run();
            }
        }
    }

    private void publish(int first, int count) {
        try (Signaller other = Signallers.open(MongoReplicaSet.sharedUri(name), "NS")) {
            IntStream.range(first, first + count)
                    .forEach(i -> other.publish(Signal.inserted("orders", i))
                            .toCompletableFuture()
                            .join());
        }
    }

    /** Of what is published while the reader finds its place nothing is lost: it is told, or a gap is told behind it. */
    private void assertNothingIsLost(AfterCommand meanwhile) {
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(MongoReplicaSet.sharedUri("admin")))
                .addCommandListener(meanwhile)
                .build();
        try (MongoClient own = MongoClients.create(settings);
                Signaller signaller = Signallers.open(MongoStorage.of(own, name), "NS")) {
            RecordingListener ear = new RecordingListener();
            signaller.subscribe("orders", ear);
            await("all to have happened, and a look", () -> meanwhile.onEnd.isEmpty() && ear.gaps.get() > 0);
            int gaps = ear.gaps.get();
            publish(1, 1);
            await(
                    "what was published behind the look, or another",
                    () -> ear.gaps.get() > gaps || ear.signals.stream().anyMatch(signal -> signal.dueMillis() == 1));
        }
    }

    @Test
    void channelThatRollsOverWhileTheReaderFindsItsPlaceIsReadFromItsNewEnd() {
        publish(1_000, 300);
        AfterCommand meanwhile = new AfterCommand();
        meanwhile.onEnd.put("aggregate", this::rollOver);
        assertNothingIsLost(meanwhile);
    }

    private void rollOver() {
        // More at once than the channel holds: where a reader stood is gone.
        BsonDocument large = new BsonDocument("filler", new BsonBinary(new byte[1 << 20]));
        database.getCollection("default", BsonDocument.class)
                .insertMany(IntStream.range(0, 12).mapToObj(i -> large.clone()).toList());
    }

    @Test
    void hundredsOfSignalsWhileTheReaderFindsItsPlaceHideNone() {
        publish(1_000, 1);
        AfterCommand meanwhile = new AfterCommand();
        for (String command : List.of("aggregate", "find")) {
            meanwhile.onEnd.put(command, () -> publish(2_000, 150));
        }
        assertNothingIsLost(meanwhile);
    }

    private boolean capped() {
        Document found = database.listCollections()
                .filter(new BsonDocument("name", new BsonString("default")))
                .first();
        return found != null && found.get("options", Document.class).getBoolean("capped", false);
    }

    private static void publish(Signaller signaller) {
        signaller.publish(Signal.inserted("orders", 7)).toCompletableFuture().join();
    }

    private void assertHeard(Signaller signaller) {
        RecordingListener ear = new RecordingListener();
        signaller.subscribe("orders", ear);
        await("the first look", () -> ear.gaps.get() > 0);
        publish(signaller);
        await("a signal", () -> !ear.signals.isEmpty());
        assertThat(capped()).isTrue();
    }

    /** Nobody listens in this process, so that its publisher finds it first. */
    @Test
    void publisherNeverMakesAnOrdinaryCollectionOfADroppedChannel() {
        try (Signaller signaller = Signallers.open(MongoReplicaSet.sharedUri(name), "NS")) {
            publish(signaller);
            database.drop();
            publish(signaller);
            assertThat(capped()).isTrue();
            assertHeard(signaller);
        }
    }

    @Test
    void closeNeverMakesAnOrdinaryCollectionOfADroppedChannel() {
        try (Signaller signaller = Signallers.open(MongoReplicaSet.sharedUri(name), "NS")) {
            RecordingListener ear = new RecordingListener();
            signaller.subscribe("orders", ear);
            await("the first look", () -> ear.gaps.get() > 0);
            database.drop();
        }
        assertThat(database.listCollectionNames().into(new ArrayList<>()).isEmpty() || capped())
                .isTrue();
    }

    /** As an earlier version, or keuss, leaves it behind. */
    @Test
    void ordinaryCollectionOfSignalsBecomesAChannel() {
        database.getCollection("default")
                .insertMany(List.of(
                        new Document("event", "keuss:signal:NS:orders").append("message", 1.0),
                        new Document("dummy", true)));
        try (Signaller signaller = Signallers.open(MongoReplicaSet.sharedUri(name), "NS")) {
            assertHeard(signaller);
        }
    }

    @Test
    void emptyOrdinaryCollectionBecomesAChannel() {
        database.createCollection("default");
        try (Signaller signaller = Signallers.open(MongoReplicaSet.sharedUri(name), "NS")) {
            assertHeard(signaller);
        }
    }

    @Test
    void ordinaryCollectionThatTakesTheChannelsPlaceIsMended() {
        try (Signaller signaller = Signallers.open(MongoReplicaSet.sharedUri(name), "NS")) {
            RecordingListener ear = new RecordingListener();
            signaller.subscribe("orders", ear);
            await("the first look", () -> ear.gaps.get() > 0);
            database.getCollection("default").drop();
            database.getCollection("default").insertOne(new Document("dummy", true));
            heardAgain(signaller, ear);
            assertThat(capped()).isTrue();
        }
    }

    /** What is somebody's data is left alone: the signaller opens, fails to publish, and goes on when it is gone. */
    @Test
    void collectionOfOtherDataIsLeftAloneUntilItIsGone() {
        database.getCollection("default").insertOne(new Document("order", 7));
        try (Signaller signaller = Signallers.open(MongoReplicaSet.sharedUri(name), "NS")) {
            assertThatThrownBy(() -> publish(signaller))
                    .hasCauseInstanceOf(StorageException.class)
                    .hasMessageContaining(name + "_signal.default")
                    .hasMessageContaining("not capped")
                    .hasMessageContaining("redis-pubsub");
            assertThat(capped()).isFalse();
            assertThat(database.getCollection("default").countDocuments()).isEqualTo(1);
            database.getCollection("default").drop();
            assertHeard(signaller);
        }
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
            try (Signaller signaller = Signallers.open(set.uri(name), "NS")) {
                assertThatThrownBy(() -> publish(signaller))
                        .hasCauseInstanceOf(StorageException.class)
                        .hasMessageContaining("cannot be created")
                        .hasMessageContaining("redis-pubsub");
            }
        }
    }
}
