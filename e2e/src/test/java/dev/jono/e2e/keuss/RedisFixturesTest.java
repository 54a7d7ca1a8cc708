package dev.jono.e2e.keuss;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jono.DeadLetter;
import dev.jono.EncodedPayload;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.testkit.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Repeats the recorded steps of keuss on Redis, and expects the same keys, fields, channels and counters. */
class RedisFixturesTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String NAMESPACE = "NS";

    private final RedisServer redis = RedisServer.start();
    private final QueueFactory jono = connect();
    private @Nullable Reservation<JsonNode> held;

    private QueueFactory connect() {
        return QueueFactory.builder("redis-oq:" + redis.uri())
                .namespace(NAMESPACE)
                .deadLetter(DeadLetter.after(4))
                .queueDefaults(
                        QueueOptions.builder().lease(Duration.ofMinutes(2)).build())
                .connect();
    }

    @AfterEach
    void close() {
        jono.close();
        redis.close();
    }

    private Map<String, String> hash(String key) {
        List<?> fields = redis.callForList("HGETALL", key);
        Map<String, String> hash = new TreeMap<>();
        for (int i = 0; i < fields.size(); i += 2) {
            hash.put(String.valueOf(fields.get(i)), String.valueOf(fields.get(i + 1)));
        }
        return hash;
    }

    private static Reservation<JsonNode> reserved(MessageQueue<JsonNode> queue) throws InterruptedException {
        return queue.reserve(LONG).orElseThrow();
    }

    @Test
    void deadLetterOfKeussIsRead() throws InterruptedException {
        JsonNode keys = Fixtures.read("redis-oq-deadletter").get("keys_after");
        keys.properties().forEach(key -> {
            JsonNode value = key.getValue().get("value");
            if (value.isObject()) {
                value.properties()
                        .forEach(field -> redis.call(
                                "HSET",
                                key.getKey(),
                                field.getKey(),
                                field.getValue().asText()));
            } else {
                redis.call(
                        "ZADD",
                        key.getKey(),
                        value.get(1).asText(),
                        value.get(0).asText());
            }
        });
        JsonNode stored = deadLetter(keys);
        Message<EncodedPayload> dead = jono.deadLetters().pop(LONG).orElseThrow();
        assertThat(dead.id()).isEqualTo(stored.get("_id").asText());
        assertThat(Fixtures.shown(dead.payload())).isEqualTo(stored.get("payload"));
        assertThat(Fixtures.shown(dead.headers())).isEqualTo(stored.get("hdrs"));
        assertThat(dead.tries()).isZero();
        for (String key : List.of("hash", "index")) {
            assertThat(redis.call("EXISTS", "keuss:q:ordered_queue:" + key + ":__deadletter__"))
                    .isEqualTo(0L);
        }
    }

    private static JsonNode deadLetter(JsonNode keys) {
        JsonNode texts = keys.get("keuss:q:ordered_queue:hash:__deadletter__").get("value");
        return Fixtures.json(texts.elements().next().asText());
    }

    @Test
    void deadLetterHasTheFieldsAndTheCountersOfKeuss() throws InterruptedException {
        JsonNode fixture = Fixtures.read("redis-oq-deadletter");
        MessageQueue<JsonNode> queue = jono.queue("qdl", JsonNode.class);
        queue.push(Fixtures.json("{\"a\":1}"), PushOptions.none().header("h", "x"));
        for (JsonNode step : fixture.get("steps")) {
            Reservation<JsonNode> held = reserved(queue);
            assertThat(held.tries()).isEqualTo(step.get("delivered_tries").asInt());
            held.retry(Duration.ZERO);
        }
        Map<String, String> dead = hash("keuss:q:ordered_queue:hash:__deadletter__");
        assertThat(dead).hasSize(1);
        JsonNode stored = Fixtures.json(dead.values().iterator().next());
        assertThat(timeless(stored)).isEqualTo(timeless(deadLetter(fixture.get("keys_after"))));
        jono.close();
        assertCounters("qdl", fixture.get("stats_source"));
    }

    /** Removes fields that differ in each run, and the reason, which only Jono stores. */
    private static ObjectNode timeless(JsonNode stored) {
        ObjectNode copy = stored.deepCopy();
        copy.remove(List.of("_id", "mature"));
        ObjectNode headers = (ObjectNode) copy.get("hdrs");
        headers.remove("x-dl-reason");
        String time = headers.remove("x-dl-t").asText();
        assertThat(time).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        return copy;
    }

    /** The counters that are not zero: keuss starts without counters. */
    private void assertCounters(String queue, JsonNode expected) {
        Map<String, String> counters = hash("keuss:stats:" + NAMESPACE + ":" + queue);
        Map<String, String> wanted = new TreeMap<>();
        expected.properties().stream()
                .filter(counter -> counter.getValue().asInt() > 0)
                .forEach(counter -> wanted.put(
                        "counter_" + counter.getKey(), counter.getValue().asText()));
        assertThat(counters).containsAllEntriesOf(wanted);
        assertThat(counters.keySet().stream().filter(name -> name.startsWith("counter_")))
                .containsExactlyInAnyOrderElementsOf(wanted.keySet());
    }

    @Test
    void stepsSignalAndCountAsThoseOfKeuss() throws InterruptedException {
        JsonNode fixture = Fixtures.read("redis-signal-stats");
        List<String> heard = new CopyOnWriteArrayList<>();
        RedisClient client = RedisClient.create(redis.uri());
        try (StatefulRedisPubSubConnection<String, String> ear = client.connectPubSub()) {
            ear.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(String pattern, String channel, String message) {
                    heard.add(channel + " " + message);
                }
            });
            ear.sync().psubscribe("keuss:signal:*");
            List<String> expected = new ArrayList<>();
            for (JsonNode operation : fixture.get("operations")) {
                if (run(operation.get("op").asText())) {
                    operation
                            .path("published")
                            .forEach(
                                    signal -> expected.add(signal.get("channel").asText() + " "
                                            + signal.get("message").asText()));
                    Awaitility.await(operation.get("op").asText())
                            .atMost(LONG)
                            .until(() -> heard.size() >= expected.size());
                }
            }
            assertThat(heard.stream().map(RedisFixturesTest::timeless))
                    .containsExactlyElementsOf(
                            expected.stream().map(RedisFixturesTest::timeless).toList());
        } finally {
            client.shutdown();
        }
        jono.close();
        assertCounters("qs", fixture.get("q_stats"));
        assertThat(hash("keuss:stats:NS:qs"))
                .containsEntry("name", "qs")
                .containsEntry("ns", NAMESPACE)
                .containsEntry("paused", "false");
    }

    /** A due time as a word. keuss uses 0 if it gives a message back at once. */
    private static String timeless(String signal) {
        return signal.replaceFirst(" \\d+$", " TIME");
    }

    private boolean run(String operation) throws InterruptedException {
        MessageQueue<JsonNode> queue = jono.queue("qs", JsonNode.class);
        switch (operation) {
            case "push now" -> queue.push(Fixtures.json("{\"a\":1}"));
            case "push with delay 2" ->
                queue.push(Fixtures.json("{\"a\":2}"), PushOptions.delay(Duration.ofSeconds(2)));
            case "pop" -> assertThat(queue.pop(LONG)).isPresent();
            case "reserve" -> held = reserved(queue);
            case "ko without next_t (publishes 0)" -> held().retry(Duration.ZERO);
            case "ko with next_t" -> held().retry(Duration.ofSeconds(1));
            case "pause(true)" -> queue.pause();
            case "paused?" -> assertThat(queue.isPaused()).isTrue();
            case "pause(false)" -> queue.resume();
            case "ok" -> held().ack();
            default -> {
                // Creating queue objects, and signals of other topics, which Jono does not send.
                assertThat(operation).matches("queue\\(.*|emit_extra\\(.*");
                return false;
            }
        }
        return true;
    }

    private Reservation<JsonNode> held() {
        return Objects.requireNonNull(held);
    }
}
