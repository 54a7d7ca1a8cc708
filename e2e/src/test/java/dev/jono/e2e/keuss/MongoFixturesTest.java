package dev.jono.e2e.keuss;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.jono.DeadLetter;
import dev.jono.EncodedPayload;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.pipeline.Outcome;
import dev.jono.testkit.server.MongoReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Repeats the recorded steps of keuss on MongoDB, and expects the same documents, signals and counters. */
class MongoFixturesTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String NAMESPACE = "NS";
    /** Fields of Jono in a message that is not reserved. keuss ignores them. */
    private static final Set<String> OWN = Set.of("kind", "json", "released", "was");

    private final String database = "jono_test_" + UUID.randomUUID().toString().substring(0, 13);
    private final MongoClient client = MongoClients.create(MongoReplicaSet.sharedUri("admin"));
    private @Nullable QueueFactory opened;
    private @Nullable Reservation<JsonNode> held;

    private QueueFactory connect(String backend, String options) {
        QueueFactory jono = QueueFactory.builder(backend + ":" + MongoReplicaSet.sharedUri(database) + options)
                .namespace(NAMESPACE)
                .deadLetter(DeadLetter.after(3))
                .queueDefaults(
                        QueueOptions.builder().lease(Duration.ofMinutes(2)).build())
                .connect();
        opened = jono;
        return jono;
    }

    @AfterEach
    void close() {
        if (opened != null) {
            opened.close();
        }
        for (String suffix : List.of("", "_signal", "_stats")) {
            client.getDatabase(database + suffix).drop();
        }
        client.close();
    }

    private MongoCollection<BsonDocument> collection(String suffix, String name) {
        MongoDatabase place = client.getDatabase(database + suffix);
        return place.getCollection(name, BsonDocument.class);
    }

    /** Removes fields that differ in each run, and fields that keuss does not know. */
    private static JsonNode timeless(JsonNode document) {
        ObjectNode copy = document.deepCopy();
        copy.remove(List.of("_id", "mature"));
        copy.remove(OWN);
        if (copy.get("hdrs") instanceof ObjectNode headers && headers.has("x-dl-t")) {
            headers.remove("x-dl-reason");
            assertThat(headers.remove("x-dl-t").asText())
                    .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        }
        return copy;
    }

    private static JsonNode timeless(BsonDocument document) {
        return timeless(MongoFixtures.shown(document));
    }

    private static BsonDocument parsed(JsonNode extendedJson) {
        return BsonDocument.parse(extendedJson.toString());
    }

    private static String collectionOfDeadLetters(String backend) {
        return backend.equals("pl-mongo") ? "default" : DeadLetter.DEFAULT_QUEUE;
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "ps-mongo", "pl-mongo"})
    void deadLetterOfKeussIsRead(String backend) throws InterruptedException {
        String place = collectionOfDeadLetters(backend);
        BsonDocument stored = parsed(Fixtures.read("mongo-deadletter")
                .get(backend)
                .get("collections_after")
                .get(place)
                .get(0));
        collection("", place).insertOne(stored);
        Message<EncodedPayload> dead =
                connect(backend, "").deadLetters().pop(LONG).orElseThrow();
        assertThat(dead.id()).isEqualTo(stored.getObjectId("_id").getValue().toHexString());
        assertThat(Fixtures.shown(dead.payload())).isEqualTo(Fixtures.json("{\"a\":1}"));
        assertThat(Fixtures.shown(dead.headers())).isEqualTo(MongoFixtures.shown(stored.getDocument("hdrs")));
        assertThat(dead.tries()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "ps-mongo", "pl-mongo"})
    void deadLetterHasTheFieldsAndTheCountersOfKeuss(String backend) throws InterruptedException {
        JsonNode fixture = Fixtures.read("mongo-deadletter").get(backend);
        QueueFactory jono = connect(backend, "");
        MessageQueue<JsonNode> queue = jono.queue("src", JsonNode.class);
        queue.push(Fixtures.json("{\"a\":1}"), PushOptions.none().header("h", "x"));
        for (JsonNode step : fixture.get("steps")) {
            Reservation<JsonNode> delivered = queue.reserve(LONG).orElseThrow();
            assertThat(delivered.tries())
                    .isEqualTo(parsed(step.get("delivered")).getNumber("tries").intValue());
            delivered.retry(Duration.ZERO);
        }
        String place = collectionOfDeadLetters(backend);
        List<BsonDocument> dead = collection("", place).find().into(new ArrayList<>());
        assertThat(dead).hasSize(1);
        assertThat(timeless(dead.get(0)))
                .isEqualTo(timeless(
                        parsed(fixture.get("collections_after").get(place).get(0))));
        jono.close();
        if (!backend.equals("pl-mongo")) {
            // There keuss counts a move as "get" of the source, and no dead letter.
            assertCounters("src", fixture.get("stats_source"));
        }
    }

    /** The counters that are not zero: keuss starts without counters. */
    private void assertCounters(String queue, JsonNode expected) {
        BsonDocument stats = collection("_stats", "keuss_stats")
                .find(new BsonDocument("_id", new BsonString("keuss:stats:" + NAMESPACE + ":" + queue)))
                .first();
        assertThat(stats).isNotNull();
        assertThat(stats.getString("name").getValue()).isEqualTo(queue);
        assertThat(stats.getString("ns").getValue()).isEqualTo(NAMESPACE);
        assertThat(numbers(stats.getDocument("counters"))).isEqualTo(numbers(parsed(expected)));
    }

    private static Map<String, Long> numbers(BsonDocument counters) {
        Map<String, Long> numbers = new TreeMap<>();
        counters.forEach((name, value) -> {
            if (value.asNumber().longValue() > 0) {
                numbers.put(name, value.asNumber().longValue());
            }
        });
        return numbers;
    }

    @Test
    void stepsSignalAndCountAsThoseOfKeuss() throws InterruptedException {
        JsonNode fixture = Fixtures.read("mongo-signal-stats");
        QueueFactory jono = connect("mongo", "");
        List<String> expected = new ArrayList<>();
        for (JsonNode step : fixture.get("steps")) {
            if (run(jono, step.get("op").asText())) {
                step.get("channel_docs_added").forEach(signal -> expected.add(signal(parsed(signal))));
                Awaitility.await(step.get("op").asText())
                        .atMost(LONG)
                        .until(() -> signals().size() >= expected.size());
            }
        }
        assertThat(signals()).isEqualTo(expected);
        BsonDocument options = Objects.requireNonNull(client.getDatabase(database + "_signal")
                        .listCollections(BsonDocument.class)
                        .filter(BsonDocument.parse("{name: 'default'}"))
                        .first())
                .getDocument("options");
        BsonDocument keuss = parsed(fixture.get("channel_collection").get(0)).getDocument("options");
        assertThat(options.getBoolean("capped")).isEqualTo(keuss.getBoolean("capped"));
        assertThat(options.getNumber("size").longValue())
                .isEqualTo(keuss.getNumber("size").longValue());
        jono.close();
        assertCounters("fxdef", fixture.get("q_stats"));
    }

    private List<String> signals() {
        List<String> signals = new ArrayList<>();
        collection("_signal", "default")
                .find()
                .filter(BsonDocument.parse("{event: {$exists: true}}"))
                .forEach(document -> signals.add(signal(document)));
        return signals;
    }

    /** The fields of a document in order, with their values; for due times with their type. */
    private static String signal(BsonDocument document) {
        Object message = document.isString("message")
                ? document.getString("message").getValue()
                : document.isNumber("message") ? "TIME" : String.valueOf(document.get("message"));
        return document.keySet() + " " + document.getString("event").getValue() + " " + message;
    }

    private boolean run(QueueFactory jono, String operation) throws InterruptedException {
        MessageQueue<JsonNode> queue = jono.queue("fxdef", JsonNode.class);
        switch (operation) {
            case "push now" -> queue.push(Fixtures.json("{\"a\":1}"));
            case "pop" -> assertThat(queue.pop(LONG)).isPresent();
            case "reserve" -> held = queue.reserve(LONG).orElseThrow();
            case "ko without next_t (publishes 0)" -> held().retry(Duration.ZERO);
            case "pause(true)" -> queue.pause();
            case "pause(false)" -> queue.resume();
            case "ok" -> held().ack();
            default -> {
                // Creating factories and queue objects, and signals of other topics, which Jono does not send.
                assertThat(operation).matches("create the factory.*|queue\\(.*|emit_extra\\(.*");
                return false;
            }
        }
        return true;
    }

    private Reservation<JsonNode> held() {
        return Objects.requireNonNull(held);
    }

    /**
     * A step of a pipeline leaves the same document as keuss, for an unchanged move and for a new payload with headers.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void stepOfAPipelineLeavesTheDocumentThatKeussLeaves(int number) throws Exception {
        JsonNode fixture = Fixtures.read("pipeline").get("steps").get(number);
        BsonDocument before = parsed(fixture.get("before").get(0));
        before.remove("reserved"); // it is reserved here
        before.put("mature", new org.bson.BsonDateTime(1));
        MongoCollection<BsonDocument> pipeline = collection("", "plx");
        pipeline.insertOne(before);
        BsonDocument after = parsed(fixture.get("after").get(0));
        QueueFactory jono =
                connect("pl-mongo", (MongoReplicaSet.sharedUri("x").contains("?") ? "&" : "?") + "jono.pipeline=plx");
        QueueOptions many =
                QueueOptions.builder().deadLetter(DeadLetter.after(25)).build();
        MessageQueue<JsonNode> from = jono.queue("p1", JsonNode.class, many);
        MessageQueue<JsonNode> to = jono.queue("p2", JsonNode.class);
        try (var running = jono.pipeline("step")
                .direct(
                        from,
                        to,
                        (payload, message) -> number == 0
                                ? Outcome.next()
                                : Outcome.next()
                                        .payload(Keuss.JSON.valueToTree("replaced"))
                                        .header("k", 1))
                .start()) {
            assertThat(running).isNotNull();
            Awaitility.await("the move").atMost(LONG).until(() -> to.totalSize() == 1);
        }
        BsonDocument stored = Objects.requireNonNull(pipeline.find().first());
        assertThat(stored.get("_id")).isEqualTo(before.get("_id"));
        after.put("tries", new org.bson.BsonInt32(0)); // which keuss was told in one of them
        assertThat(timeless(stored)).isEqualTo(timeless(after));
    }
}
