package dev.jono.e2e.keuss;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.jono.EncodedPayload;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.testkit.server.MongoReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A queue in MongoDB, where messages are documents. One server and one Node for all tests, and a database for each. */
@Execution(ExecutionMode.CONCURRENT)
abstract class KeussMongoCase extends KeussCase implements ReservingTogether {
    /** What Node has a type for and JSON has not, an integer of which a double loses digits, and null, which kills Node. */
    private static final Set<String> NOT_JSON =
            Set.of("null", "nested-buffer", "nested-date", "nested-undefined", "number-17-digits");

    /** Of all tests; not in fields, for where there is no server or no Node, each test is skipped with the reason. */
    private static final class Shared {
        private static @Nullable MongoClient client;
        private static @Nullable Keuss keuss;

        static synchronized MongoClient client() {
            MongoClient known = client;
            if (known == null) {
                known = MongoClients.create(MongoReplicaSet.sharedUri("admin"));
                client = known;
            }
            return known;
        }

        static synchronized Keuss keuss() {
            Keuss known = keuss;
            if (known == null) {
                known = Keuss.start();
                keuss = known;
            }
            return known;
        }
    }

    private final MongoPlace place;

    KeussMongoCase(String backend) {
        this(new MongoPlace(backend));
    }

    private KeussMongoCase(MongoPlace place) {
        super(place);
        this.place = place;
    }

    private static final class MongoPlace extends Place {
        private final String database =
                "jono_test_" + UUID.randomUUID().toString().substring(0, 13);
        private final String uri = MongoReplicaSet.sharedUri(database);

        MongoPlace(String backend) {
            super(backend);
        }

        @Override
        String url() {
            return backend + ":" + uri;
        }

        @Override
        Map<String, ?> where() {
            return Map.of("url", uri);
        }

        @Override
        Keuss keuss() {
            return Shared.keuss();
        }

        /** keuss does not hear a signal whose id is below that of the last before it came, as it may be in the same second. */
        @Override
        void awaitAttached() {
            long second = System.currentTimeMillis() / 1_000;
            Awaitility.await("the next second")
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> System.currentTimeMillis() / 1_000 > second);
        }

        /** Both read one channel for all queues, each with a cursor. */
        @Override
        void awaitListening(String queue, int clients) {
            List<BsonDocument> tails = List.of(
                    BsonDocument.parse("{$currentOp: {allUsers: true, idleCursors: true}}"),
                    BsonDocument.parse("{$match: {'cursor.tailable': true, ns: '" + database + "_signal.default'}}"));
            Awaitility.await("listeners to " + queue)
                    .pollInterval(Duration.ofMillis(10))
                    .atMost(LONG)
                    .until(() -> Shared.client()
                                    .getDatabase("admin")
                                    .aggregate(tails)
                                    .into(new ArrayList<>())
                                    .size()
                            == 2);
        }

        @Override
        void close() {
            // Its factories keep on listening, and Node does not outlive the loss of a channel: the server ends with
            // the tests.
        }
    }

    private MongoCollection<BsonDocument> collection() {
        String name = place.backend.equals("pl-mongo") ? "default" : "qs";
        return Shared.client().getDatabase(place.database).getCollection(name, BsonDocument.class);
    }

    /** The documents of the fixtures, as keuss stored them. */
    private List<BsonDocument> stored(String kind) {
        BsonDocument all = BsonDocument.parse(Fixtures.read(place.backend).toString());
        return all.getArray("kinds").stream()
                .map(each -> each.asDocument())
                .filter(each ->
                        kind.isEmpty() || each.getString("kind").getValue().equals(kind))
                .map(each -> each.getDocument("stored").getDocument("canonical"))
                .toList();
    }

    @Test
    void whatKeussStoredIsReadHere() throws InterruptedException {
        MessageQueue<EncodedPayload> queue = raw("qs");
        for (JsonNode kind : Fixtures.kinds(place.backend)) {
            String name = kind.get("kind").asText();
            BsonDocument document = stored(name).get(0);
            if (document.containsKey("_q")) {
                document.put("_q", new BsonString("qs"));
            }
            collection().insertOne(document);
            Message<EncodedPayload> message = popped(queue);
            assertThat(message.id())
                    .isEqualTo(document.getObjectId("_id").getValue().toHexString());
            assertThat(Fixtures.shown(message.payload()))
                    .as(name)
                    .isEqualTo(MongoFixtures.shown(Objects.requireNonNull(document.get("payload"))));
            assertThat(Fixtures.shown(message.headers())).isEqualTo(MongoFixtures.shown(document.getDocument("hdrs")));
            assertThat(message.tries()).isZero();
        }
    }

    @Test
    void whatIsPushedHereIsStoredAsKeussDoesAndReadByIt() {
        MessageQueue<EncodedPayload> queue = raw("qs");
        KeussQueue theirs = factory.queue("qs");
        for (JsonNode kind : Fixtures.kinds(place.backend)) {
            String name = kind.get("kind").asText();
            if (NOT_JSON.contains(name)) {
                continue;
            }
            BsonDocument expected = stored(name).get(0);
            JsonNode shown = MongoFixtures.shown(Objects.requireNonNull(expected.get("payload")));
            JsonNode headers = MongoFixtures.shown(expected.getDocument("hdrs"));
            PushOptions options = PushOptions.none();
            for (Map.Entry<String, Object> header : Fixtures.values(headers).entrySet()) {
                options = options.header(header.getKey(), header.getValue());
            }
            queue.push(Fixtures.payload(shown), options);
            BsonDocument found = Objects.requireNonNull(collection()
                    .find(BsonDocument.parse("{processed: {$exists: false}}"))
                    .first());
            for (String field : List.of("payload", "hdrs", "tries")) {
                assertThat(found.get(field)).as("%s of %s", field, name).isEqualTo(expected.get(field));
            }
            JsonNode delivered = theirs.pop(LONG);
            assertThat(delivered.get("payload").toString()).as(name).isEqualTo(shown.toString());
            assertThat(delivered.get("hdrs").toString()).isEqualTo(headers.toString());
            assertThat(delivered.get("tries").asInt()).isZero();
        }
    }

    @Test
    @ResourceLock("the processor")
    @Timeout(value = 150, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void bothReserveTwentyThousandAtOnce() throws Exception {
        new KeussRace(factory.queue("qs"), factory.queue("qs"), jono).reserve();
    }
}
