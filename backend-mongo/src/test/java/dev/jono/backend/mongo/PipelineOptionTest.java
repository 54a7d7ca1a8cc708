package dev.jono.backend.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoDatabase;
import dev.jono.Codec;
import dev.jono.ConfigurationException;
import dev.jono.DeadLetter;
import dev.jono.EncodedPayload;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.pipeline.Outcome;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.server.MongoReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDateTime;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several pipelines in one factory, named by the option of their queues. */
class PipelineOptionTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    private final String database = TestDatabases.newName();
    private final MongoDatabase stored = TestDatabases.client().getDatabase(database);
    private final QueueFactory jono = QueueFactory.connect(url());

    private String url() {
        return TestDatabases.url(
                "pl-mongo", MongoReplicaSet.sharedUri(database), "jono.one-database=true&jono.pipeline=works");
    }

    @AfterEach
    void drop() {
        jono.close();
        stored.drop();
    }

    private static QueueOptions in(String pipeline) {
        return QueueOptions.builder().pipeline(pipeline).build();
    }

    private MessageQueue<String> queue(String name, String pipeline) {
        return jono.queue(name, Codec.string(), in(pipeline));
    }

    private List<String> stored(String pipeline) {
        List<String> names = new ArrayList<>();
        stored.getCollection(pipeline).find().forEach(document -> names.add(document.getString("_q")));
        return names;
    }

    @Test
    void queuesOfOneNameInTwoPipelinesAreTwoQueues() throws Exception {
        queue("orders", "north").push("n");
        queue("orders", "south").push("s");
        assertThat(stored("north")).containsExactly("orders");
        assertThat(stored("south")).containsExactly("orders");
        assertThat(queue("orders", "works").size()).isZero();
        assertThat(queue("orders", "south").pop(Duration.ZERO))
                .hasValueSatisfying(m -> assertThat(m.payload()).isEqualTo("s"));
        assertThat(queue("orders", "south").pop(Duration.ZERO)).isEmpty();
        assertThat(queue("orders", "north").pop(Duration.ZERO))
                .hasValueSatisfying(m -> assertThat(m.payload()).isEqualTo("n"));
    }

    @Test
    void withoutTheOptionAQueueIsInThePipelineOfTheUrl() throws Exception {
        jono.queue("orders", Codec.string()).push("a");
        assertThat(stored("works")).containsExactly("orders");
        assertThat(queue("orders", "works").pop(Duration.ZERO)).isPresent();
        jono.queue("orders", Codec.string(), in("north")).push("b");
        assertThat(jono.queues()).doesNotContain("default").hasSizeLessThan(2);
    }

    @Test
    void moveStaysInThePipeline() throws Exception {
        MessageQueue<String> orders = queue("orders", "north");
        orders.push("a");
        Reservation<String> held = orders.reserve(SOON).orElseThrow();
        held.moveTo("done");
        assertThat(stored("north")).containsExactly("done");
        assertThat(stored("works")).isEmpty();
        assertThat(queue("done", "north").pop(Duration.ZERO))
                .hasValueSatisfying(m -> assertThat(m.id()).isEqualTo(held.id()));
    }

    @Test
    void eachPipelineHasItsDeadLettersAndRedrivesThem() throws Exception {
        MessageQueue<String> orders = queue("orders", "north");
        orders.push("a");
        orders.reserve(SOON).orElseThrow().reject("broken");
        assertThat(stored("north")).containsExactly(DeadLetter.DEFAULT_QUEUE);
        assertThat(jono.deadLetters().size()).isZero();
        MessageQueue<EncodedPayload> letters = jono.queue(DeadLetter.DEFAULT_QUEUE, Codec.raw(), in("north"));
        assertThat(letters.redrive()).isEqualTo(1);
        assertThat(stored("north")).containsExactly("orders");
        assertThat(orders.pop(SOON)).isPresent();
    }

    @Test
    void linksRunInThePipelineOfTheirQueues() throws Exception {
        MessageQueue<String> from = queue("in", "north");
        MessageQueue<String> to = queue("out", "north");
        try (var running = jono.pipeline("move")
                .direct(from, to, (text, message) -> Outcome.next().payload(text + "!"))
                .start()) {
            from.push("a");
            assertThat(to.pop(SOON))
                    .hasValueSatisfying(m -> assertThat(m.payload()).isEqualTo("a!"));
            assertThat(running).isNotNull();
        }
        assertThat(stored("works")).isEmpty();
    }

    @Test
    void linkBetweenTwoPipelinesIsRefused() {
        MessageQueue<String> from = queue("in", "north");
        MessageQueue<String> to = queue("out", "south");
        assertThatThrownBy(() -> jono.pipeline("move").direct(from, to, (text, message) -> Outcome.next()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'in'", "'north'", "'out'", "'south'");
    }

    /** Each poll reads the pipeline of its queue; there is no signal in this test. */
    @Test
    void lostSignalIsRepairedInEachPipeline() throws Exception {
        QueueOptions north = QueueOptions.builder()
                .pipeline("north")
                .pollInterval(Duration.ofMillis(200))
                .build();
        QueueOptions south = QueueOptions.builder()
                .pipeline("south")
                .pollInterval(Duration.ofMillis(200))
                .build();
        CompletableFuture<Optional<Message<String>>> inNorth =
                jono.queue("orders", Codec.string(), north).popAsync(SOON);
        CompletableFuture<Optional<Message<String>>> inSouth =
                jono.queue("orders", Codec.string(), south).popAsync(SOON);
        Document message = new Document("mature", new BsonDateTime(0))
                .append("payload", "a")
                .append("tries", 0)
                .append("hdrs", new Document())
                .append("_q", "orders");
        stored.getCollection("south").insertOne(message);
        assertThat(inSouth.get(20, TimeUnit.SECONDS)).isPresent();
        assertThat(inNorth.isDone()).isFalse();
        stored.getCollection("north").insertOne(new Document(message));
        assertThat(inNorth.get(20, TimeUnit.SECONDS)).isPresent();
    }

    @Test
    void pipelineThatCannotNameACollectionIsRefused() {
        for (String wrong : List.of("", "system.users", "a$b", "keuss_stats")) {
            assertThatThrownBy(() -> queue("orders", wrong))
                    .as(wrong)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContainingAll("'orders'", "'" + wrong + "'");
        }
    }

    @Test
    void backendWithoutPipelinesRefusesTheOption() {
        String mongo = TestDatabases.url("mongo", MongoReplicaSet.sharedUri(database), "jono.one-database=true");
        try (QueueFactory factory = QueueFactory.connect(mongo)) {
            assertThatThrownBy(() -> factory.queue("orders", Codec.string(), in("north")))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContainingAll("'north'", "'orders'", "mongo");
        }
    }
}
