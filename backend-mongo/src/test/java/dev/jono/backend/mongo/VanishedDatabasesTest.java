package dev.jono.backend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.server.MongoReplicaSet;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All databases of Jono may be dropped while processes run: they continue, and create them again. */
@Timeout(60)
class VanishedDatabasesTest {
    private final String database = TestDatabases.newName();

    @AfterEach
    void drop() {
        List.of("", "_signal", "_stats")
                .forEach(suffix ->
                        TestDatabases.client().getDatabase(database + suffix).drop());
    }

    private QueueFactory connect(String type) {
        return QueueFactory.builder(type + ":" + MongoReplicaSet.sharedUri(database))
                .queueDefaults(QueueOptions.builder()
                        .pollInterval(Duration.ofHours(10))
                        .build())
                .connect();
    }

    private static MessageQueue<String> orders(QueueFactory jono) {
        return jono.queue("orders", String.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "pl-mongo", "ps-mongo"})
    void queuesContinueWhenAllTheirDatabasesAreDropped(String type) throws Exception {
        try (QueueFactory producer = connect(type);
                QueueFactory consumer = connect(type)) {
            orders(producer).push("before");
            assertThat(orders(consumer).pop(Duration.ZERO)).isPresent();
            orders(producer).pause();
            orders(producer).resume();
            CompletableFuture<Optional<Message<String>>> waiting =
                    orders(consumer).popAsync(Duration.ofMinutes(1));
            drop();
            orders(producer).push("after");
            Awaitility.await("the waiting consumer to be woken").until(waiting::isDone);
            assertThat(waiting.join().map(Message::payload)).contains("after");

            drop();
            assertThat(orders(consumer).counts().total()).isZero();
            orders(producer).push("reserved");
            orders(consumer).reserve(Duration.ZERO).orElseThrow().ack();
            orders(producer).pause();
            assertThat(orders(producer).isPaused()).isTrue();
            orders(producer).resume();
            assertThat(orders(consumer).stats()).isNotNull();
            try (QueueFactory late = connect(type)) {
                orders(late).push("late");
                assertThat(orders(late).pop(Duration.ZERO)).isPresent();
            }
            Document channel = TestDatabases.client()
                    .getDatabase(database + "_signal")
                    .listCollections()
                    .filter(new Document("name", "default"))
                    .first();
            assertThat(channel).isNotNull();
            assertThat(channel.get("options", Document.class)).containsEntry("capped", true);
        }
    }
}
