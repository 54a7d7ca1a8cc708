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
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import dev.jono.support.mongo.MongoStorage;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.RecordingListener;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

/** The capped collection, if it is missing, of the wrong kind, dropped or overwritten. */
class ChannelTest {
    private final String name = TestDatabases.newName();
    private final MongoDatabase database = TestDatabases.client().getDatabase(name + "_signal");

    @AfterEach
    void drop() {
        database.drop();
    }

    private void assertSignalsAgain(Signaller signaller, RecordingListener listener) {
        int gaps = listener.gaps();
        await("a gap", () -> listener.gaps() > gaps);
        int heard = listener.signals().size();
        signaller.publish(Signal.inserted("orders", 7)).toCompletableFuture().join();
        await("a signal", () -> listener.signals().size() > heard);
    }

    @Test
    void droppedChannelIsCreatedAgainAndTheGapReported() {
        try (Signaller signaller = Signallers.open(MongoReplicaSet.sharedUri(name), "NS")) {
            RecordingListener listener = new RecordingListener();
            signaller.subscribe("orders", listener);
            await("the first gap", () -> listener.gaps() > 0);
            database.getCollection("default").drop();
            assertSignalsAgain(signaller, listener);
            assertThat(listener.gaps()).isLessThan(10);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jono.timeout=600ms", "socketTimeoutMS=500", "timeoutMS=500"})
    void waitForSignalsIsNotTreatedAsAnUnansweredCommand(String option) {
        String uri = TestDatabases.withOptions(MongoReplicaSet.sharedUri(name), option);
        try (Signaller signaller = Signallers.open(uri, "NS")) {
            assertWaitsWithoutGaps(signaller);
        }
    }

    @Test
    void shortReadTimeoutOfAnApplicationsClientEndsNoWait() {
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(MongoReplicaSet.sharedUri("admin")))
                .applyToSocketSettings(socket -> socket.readTimeout(500, TimeUnit.MILLISECONDS))
                .build();
        try (MongoClient own = MongoClients.create(settings);
                Signaller signaller = Signallers.open(MongoStorage.of(own, name), "NS")) {
            assertWaitsWithoutGaps(signaller);
        }
    }

    private static void assertWaitsWithoutGaps(Signaller signaller) {
        RecordingListener listener = new RecordingListener();
        signaller.subscribe("orders", listener);
        await("the first gap", () -> listener.gaps() > 0);
        int gaps = listener.gaps();
        Awaitility.await("some waits without a signal")
                .during(Duration.ofSeconds(2))
                .atMost(Duration.ofSeconds(4))
                .until(() -> listener.gaps() == gaps);
        signaller.publish(Signal.inserted("orders", 7)).toCompletableFuture().join();
        await("a signal", () -> listener.signals().size() == 1);
    }

    @Test
    void oldSignalsAreNotReportedAgain() {
        try (Signaller signaller = Signallers.open(MongoReplicaSet.sharedUri(name), "NS")) {
            for (int i = 0; i < 200; i++) {
                signaller
                        .publish(Signal.inserted("orders", 1_000 + i))
                        .toCompletableFuture()
                        .join();
            }
            RecordingListener listener = new RecordingListener();
            signaller.subscribe("orders", listener);
            await("the first gap", () -> listener.gaps() > 0);
            signaller
                    .publish(Signal.inserted("orders", 7))
                    .toCompletableFuture()
                    .join();
            await("the new one", () -> !listener.signals().isEmpty());
            assertThat(listener.signals()).extracting(Signal::dueMillis).containsExactly(7L);
        }
    }

    @Test
    void readerContinuesAfterTheChannelWasOverwritten() {
        try (Signaller signaller = Signallers.open(MongoReplicaSet.sharedUri(name), "NS")) {
            RecordingListener listener = new RecordingListener();
            signaller.subscribe("orders", listener);
            await("the first gap", () -> listener.gaps() > 0);
            overwriteChannel();
            int heard = listener.signals().size();
            signaller
                    .publish(Signal.inserted("orders", 7))
                    .toCompletableFuture()
                    .join();
            await("a signal, or a gap", () -> listener.signals().size() > heard || listener.gaps() > 1);
            signaller
                    .publish(Signal.inserted("orders", 8))
                    .toCompletableFuture()
                    .join();
            await("the next", () -> listener.signals().stream().anyMatch(signal -> signal.dueMillis() == 8));
        }
    }

    /** Runs an action once after the first success of a command. */
    private static final class AfterCommand implements CommandListener {
        private final Map<String, Runnable> actions = new ConcurrentHashMap<>();

        @Override
        public void commandSucceeded(CommandSucceededEvent event) {
            Runnable action = actions.remove(event.getCommandName());
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

    /** No signal is lost that is published while the reader starts: it is reported, or a gap is reported after it. */
    private void assertNothingIsLost(AfterCommand afterCommand) {
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(MongoReplicaSet.sharedUri("admin")))
                .addCommandListener(afterCommand)
                .build();
        try (MongoClient own = MongoClients.create(settings);
                Signaller signaller = Signallers.open(MongoStorage.of(own, name), "NS")) {
            RecordingListener listener = new RecordingListener();
            signaller.subscribe("orders", listener);
            await("all actions and a gap", () -> afterCommand.actions.isEmpty() && listener.gaps() > 0);
            int gaps = listener.gaps();
            publish(1, 1);
            await(
                    "the signal, or another gap",
                    () -> listener.gaps() > gaps
                            || listener.signals().stream().anyMatch(signal -> signal.dueMillis() == 1));
        }
    }

    @Test
    void channelThatIsOverwrittenWhileTheReaderStartsIsReadFromItsNewEnd() {
        publish(1_000, 300);
        AfterCommand afterCommand = new AfterCommand();
        afterCommand.actions.put("aggregate", this::overwriteChannel);
        assertNothingIsLost(afterCommand);
    }

    private void overwriteChannel() {
        // More than the channel can hold, so that the reader's position disappears.
        BsonDocument large = new BsonDocument("filler", new BsonBinary(new byte[1 << 20]));
        database.getCollection("default", BsonDocument.class)
                .insertMany(IntStream.range(0, 12).mapToObj(i -> large.clone()).toList());
    }

    @Test
    void manySignalsWhileTheReaderStartsHideNone() {
        publish(1_000, 1);
        AfterCommand afterCommand = new AfterCommand();
        for (String command : List.of("aggregate", "find")) {
            afterCommand.actions.put(command, () -> publish(2_000, 150));
        }
        assertNothingIsLost(afterCommand);
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

    private void assertSignals(Signaller signaller) {
        RecordingListener listener = new RecordingListener();
        signaller.subscribe("orders", listener);
        await("the first gap", () -> listener.gaps() > 0);
        publish(signaller);
        await("a signal", () -> !listener.signals().isEmpty());
        assertThat(capped()).isTrue();
    }

    /** There is no listener in this process, so its publisher is the first to find the channel gone. */
    @Test
    void publisherCreatesNoOrdinaryCollectionAfterADrop() {
        try (Signaller signaller = Signallers.open(MongoReplicaSet.sharedUri(name), "NS")) {
            publish(signaller);
            database.drop();
            publish(signaller);
            assertThat(capped()).isTrue();
            assertSignals(signaller);
        }
    }

    @Test
    void closeCreatesNoOrdinaryCollectionAfterADrop() {
        try (Signaller signaller = Signallers.open(MongoReplicaSet.sharedUri(name), "NS")) {
            RecordingListener listener = new RecordingListener();
            signaller.subscribe("orders", listener);
            await("the first gap", () -> listener.gaps() > 0);
            database.drop();
        }
        assertThat(database.listCollectionNames().into(new ArrayList<>()).isEmpty() || capped())
                .isTrue();
    }

    /** keuss may create such a collection. */
    @Test
    void ordinaryCollectionOfSignalsBecomesAChannel() {
        database.getCollection("default")
                .insertMany(List.of(
                        new Document("event", "keuss:signal:NS:orders").append("message", 1.0),
                        new Document("dummy", true)));
        try (Signaller signaller = Signallers.open(MongoReplicaSet.sharedUri(name), "NS")) {
            assertSignals(signaller);
        }
    }

    @Test
    void emptyOrdinaryCollectionBecomesAChannel() {
        database.createCollection("default");
        try (Signaller signaller = Signallers.open(MongoReplicaSet.sharedUri(name), "NS")) {
            assertSignals(signaller);
        }
    }

    @Test
    void ordinaryCollectionThatReplacesTheChannelIsConverted() {
        try (Signaller signaller = Signallers.open(MongoReplicaSet.sharedUri(name), "NS")) {
            RecordingListener listener = new RecordingListener();
            signaller.subscribe("orders", listener);
            await("the first gap", () -> listener.gaps() > 0);
            database.getCollection("default").drop();
            database.getCollection("default").insertOne(new Document("dummy", true));
            assertSignalsAgain(signaller, listener);
            assertThat(capped()).isTrue();
        }
    }

    /** Other data stays as it is: the signaller opens, cannot publish, and works as soon as the data is gone. */
    @Test
    void collectionWithOtherDataIsNotChanged() {
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
            assertSignals(signaller);
        }
    }

    @Test
    void withoutCappedCollectionsTheErrorNamesAnotherSignaller() {
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
