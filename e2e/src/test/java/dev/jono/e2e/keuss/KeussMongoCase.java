package dev.jono.e2e.keuss;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoCollection;
import dev.jono.EncodedPayload;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The base of the tests with a queue in MongoDB. All tests share a server and a Node process; each has its own
 * database.
 */
@Execution(ExecutionMode.CONCURRENT)
abstract class KeussMongoCase extends KeussCase implements ReservingTogether {
    /**
     * Values for which Node has a type and JSON has none, an integer too long for a double, and null, which crashes
     * Node.
     */
    private static final Set<String> NOT_JSON =
            Set.of("null", "nested-buffer", "nested-date", "nested-undefined", "number-17-digits");

    private final MongoPlace place;

    KeussMongoCase(String backend) {
        this(new MongoPlace(backend));
    }

    private KeussMongoCase(MongoPlace place) {
        super(place);
        this.place = place;
    }

    private MongoCollection<BsonDocument> collection() {
        String name = place.backend.equals("pl-mongo") ? "default" : "qs";
        return MongoPlace.Shared.client().getDatabase(place.database).getCollection(name, BsonDocument.class);
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
    void bothReserveThousandsAtOnce() throws Exception {
        new KeussRace(factory.queue("qs"), factory.queue("qs"), jono).reserve();
    }
}
