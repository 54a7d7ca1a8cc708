package dev.jono.e2e.keuss;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.EncodedPayload;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The base of the tests with a queue in Redis, where messages are stored as text. */
abstract class KeussRedisCase extends KeussCase {
    final RedisServer redis;
    private final String backend;

    KeussRedisCase(String backend) {
        this(backend, new RedisPlace(backend));
    }

    private KeussRedisCase(String backend, RedisPlace place) {
        super(place);
        this.backend = backend;
        this.redis = place.redis;
    }

    /** A Redis and a Node process for this test. */
    private static final class RedisPlace extends Place {
        private final RedisServer redis = RedisServer.start();
        private @Nullable Keuss keuss;

        RedisPlace(String backend) {
            super(backend);
        }

        @Override
        String url() {
            return backend + ":" + redis.uri();
        }

        @Override
        Map<String, ?> where() {
            return Map.of("port", redis.port());
        }

        @Override
        Keuss keuss() {
            Keuss started = Keuss.start();
            keuss = started;
            return started;
        }

        @Override
        void awaitListening(String queue, int clients) {
            Awaitility.await("listeners to " + queue)
                    .pollInterval(Duration.ofMillis(10))
                    .atMost(LONG)
                    .until(() -> redis.callForList("PUBSUB", "NUMSUB", "keuss:signal:" + NAMESPACE + ":" + queue)
                            .get(1)
                            .equals((long) clients));
        }

        @Override
        void close() {
            if (keuss != null) {
                keuss.close();
            }
            redis.close();
        }
    }

    /** Stores a recorded text of keuss where keuss would store it, due a second ago. */
    abstract void plant(String queue, String stored);

    /** The stored text of the only message. */
    abstract String stored(String queue);

    @Test
    void whatKeussStoredIsReadHere() throws InterruptedException {
        MessageQueue<EncodedPayload> queue = raw("qs");
        for (JsonNode kind : Fixtures.kinds(backend)) {
            String stored = kind.get("stored").asText();
            plant("qs", stored);
            Message<EncodedPayload> message = popped(queue);
            JsonNode payload = kind.has("delivered_first")
                    ? kind.get("delivered_first")
                    : kind.get("popped_back_by_keuss").get("payload");
            assertThat(Fixtures.shown(message.payload()))
                    .as(kind.get("kind").asText())
                    .isEqualTo(payload);
            assertThat(Fixtures.shown(message.headers()))
                    .isEqualTo(Fixtures.json(stored).get("hdrs"));
            assertThat(message.tries()).isZero();
        }
    }

    @Test
    void whatIsPushedHereIsStoredAsKeussDoesAndReadByIt() {
        MessageQueue<EncodedPayload> queue = raw("qs");
        KeussQueue theirs = factory.queue("qs");
        for (JsonNode kind : Fixtures.kinds(backend)) {
            JsonNode expected = Fixtures.json(kind.get("stored").asText());
            JsonNode shown = expected.has("type")
                    ? Keuss.JSON
                            .createObjectNode()
                            .put("$buffer_base64", expected.get("payload").asText())
                    : expected.get("payload");
            if (shown.isNull()) {
                continue; // refused here as in all backends, because it crashes Node on other backends
            }
            PushOptions options = PushOptions.none();
            for (Map.Entry<String, Object> header :
                    Fixtures.values(expected.get("hdrs")).entrySet()) {
                options = options.header(header.getKey(), header.getValue());
            }
            queue.push(Fixtures.payload(shown), options);
            JsonNode stored = Fixtures.json(stored("qs"));
            for (String field : List.of("payload", "hdrs", "tries")) {
                assertThat(stored.get(field))
                        .as("%s of %s", field, kind.get("kind"))
                        .isEqualTo(expected.get(field));
            }
            assertThat(Optional.ofNullable(stored.get("type"))).isEqualTo(Optional.ofNullable(expected.get("type")));
            JsonNode delivered = theirs.pop(LONG);
            assertThat(delivered.get("payload")).isEqualTo(shown);
            assertThat(delivered.get("hdrs")).isEqualTo(expected.get("hdrs"));
            assertThat(delivered.get("tries").asInt()).isZero();
        }
    }

    @Test
    @Timeout(value = 150, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void bothPopThousandsAtOnce() throws Exception {
        new KeussRace(factory.queue("qs"), factory.queue("qs"), jono).pop();
    }
}
