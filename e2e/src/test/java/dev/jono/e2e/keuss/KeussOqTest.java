package dev.jono.e2e.keuss;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.EncodedPayload;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.Reservation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code redis-oq} together with keuss, with the additional features that {@code redis-list} does not have. */
class KeussOqTest extends KeussRedisCase implements ReservingTogether {
    @Override
    public KeussCase together() {
        return this;
    }

    KeussOqTest() {
        super("redis-oq");
    }

    private static String hash(String queue) {
        return "keuss:q:ordered_queue:hash:" + queue;
    }

    private static String index(String queue) {
        return "keuss:q:ordered_queue:index:" + queue;
    }

    @Override
    void plant(String queue, String stored) {
        String id = Fixtures.json(stored).get("_id").asText();
        redis.call("HSET", hash(queue), id, stored);
        redis.call("ZADD", index(queue), Long.toString(System.currentTimeMillis() - 1_000), id);
    }

    @Override
    String stored(String queue) {
        List<?> fields = redis.callForList("HGETALL", hash(queue));
        assertThat(fields).hasSize(2);
        return String.valueOf(fields.get(1));
    }

    @Test
    void whatKeussReservedOrGaveBackIsReadHere() throws InterruptedException {
        MessageQueue<EncodedPayload> queue = raw("qs");
        for (JsonNode kind : Fixtures.kinds("redis-oq")) {
            for (String state : List.of("after_first_reserve", "after_ko")) {
                String stored = kind.get(state).get("hash").asText();
                JsonNode fields = Fixtures.json(stored);
                plant("qs", stored);
                Message<EncodedPayload> message = popped(queue);
                assertThat(message.id()).isEqualTo(fields.get("_id").asText());
                assertThat(Fixtures.shown(message.headers())).isEqualTo(fields.get("hdrs"));
                JsonNode payload = fields.has("type")
                        ? Keuss.JSON
                                .createObjectNode()
                                .put("$buffer_base64", fields.get("payload").asText())
                        : fields.get("payload");
                assertThat(Fixtures.shown(message.payload()))
                        .as("%s %s", kind.get("kind"), state)
                        .isEqualTo(payload);
            }
        }
    }

    @Test
    void pushedMessageHasTheFieldsAndTheScoreOfKeuss() {
        String id = raw("qs")
                .push(Fixtures.payload(Fixtures.json("{\"a\":1}")), PushOptions.delay(LONG))
                .id();
        JsonNode stored = Fixtures.json(stored("qs"));
        assertThat(stored.get("_id").asText()).isEqualTo(id);
        long due = stored.get("mature").asLong();
        assertThat(due - System.currentTimeMillis()).isBetween(1_000L, 31_000L);
        String score = String.valueOf(redis.call("ZSCORE", index("qs"), id));
        assertThat((long) Double.parseDouble(score)).isEqualTo(due);
        // keuss compares scores as text: their integer part has to have 13 digits.
        assertThat(score).matches("[0-9]{13}(\\.[0-9]+)?");
    }

    @Test
    void payloadThatKeussWouldSpoilSurvivesAReserveAndARetryHere() throws InterruptedException {
        String payload = "{\"list\":[],\"deep\":[[]],\"n\":1234567890123456789,\"s\":\"a/b\"}";
        raw("qs")
                .push(EncodedPayload.of(
                        dev.jono.PayloadKind.JSON, payload.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        Reservation<EncodedPayload> held = raw("qs").reserve(LONG).orElseThrow();
        held.retry(Duration.ZERO);
        Message<EncodedPayload> again = popped(raw("qs"));
        assertThat(again.payload().text()).isEqualTo(payload);
        assertThat(again.tries()).isEqualTo(1);
    }

    @Test
    @Timeout(value = 150, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void bothReserveThousandsAtOnce() throws Exception {
        new KeussRace(factory.queue("qs"), factory.queue("qs"), jono).reserve();
    }
}
