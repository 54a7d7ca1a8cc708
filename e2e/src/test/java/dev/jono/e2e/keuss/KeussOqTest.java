package dev.jono.e2e.keuss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueOptions;
import dev.jono.RemoveOutcome;
import dev.jono.Reservation;
import dev.jono.RetryOutcome;
import dev.jono.StaleReservationException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code redis-oq} together with keuss's: what {@code redis-list} cannot do comes on top. */
class KeussOqTest extends KeussCase {
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

    private static Reservation<JsonNode> reserved(MessageQueue<JsonNode> queue) throws InterruptedException {
        return queue.reserve(LONG).orElseThrow(() -> new AssertionError("nothing came"));
    }

    private void push(Object payload) {
        json("qs").push(Keuss.JSON.valueToTree(payload));
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
    void delaysAreKeptAcross() throws Exception {
        KeussQueue theirs = factory.queue("qs");
        MessageQueue<JsonNode> queue = json("qs");
        theirs.push("later", Map.of("delay", 1.5));
        queue.push(Keuss.JSON.valueToTree("sooner"), PushOptions.delay(Duration.ofMillis(800)));
        assertThat(queue.counts().scheduled()).isEqualTo(2);
        assertThat(theirs.scheduledSize()).isEqualTo(2);
        assertThat(theirs.pop(LONG).get("payload").asText()).isEqualTo("sooner");
        assertThat(popped(queue).payload().asText()).isEqualTo("later");
    }

    @Test
    void returnByKeussWakesAWaiterHere() throws Exception {
        KeussQueue theirs = factory.queue("qs");
        push("x");
        JsonNode element = theirs.reserve(LONG);
        CompletableFuture<Optional<Message<JsonNode>>> waiting = json("qs").popAsync(LONG);
        awaitListening("qs", 2);
        assertThat(theirs.ko(element).asBoolean()).isTrue();
        Message<JsonNode> message = got(waiting).orElseThrow();
        assertThat(message.payload().asText()).isEqualTo("x");
        assertThat(message.tries()).isEqualTo(1);
    }

    @Test
    void retryHereWakesAWaiterOfKeussWithTheTriesCounted() throws Exception {
        push("x");
        Reservation<JsonNode> held = reserved(json("qs"));
        KeussQueue theirs = factory.queue("qs");
        CompletableFuture<JsonNode> waiting = theirs.popLater(LONG);
        theirs.awaitSleeping(1);
        assertThat(held.retry(Duration.ZERO)).isEqualTo(RetryOutcome.RETRIED);
        JsonNode element = got(waiting);
        assertThat(element.get("payload").asText()).isEqualTo("x");
        assertThat(element.get("tries").asInt()).isEqualTo(1);
        assertThat(element.get("_id").asText()).isEqualTo(held.id());
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
    void keussNeitherTakesNorRemovesWhatIsHeldHere() throws InterruptedException {
        push("x");
        Reservation<JsonNode> held = reserved(json("qs"));
        KeussQueue theirs = factory.queue("qs");
        assertThat(theirs.remove(held.id())).isFalse();
        assertThatThrownBy(() -> theirs.pop(Duration.ofMillis(300))).hasMessage("timeout");
        assertThat(theirs.totalSize()).isEqualTo(1);
        held.ack();
        assertThat(theirs.totalSize()).isZero();
    }

    @Test
    void whatKeussHoldsIsNeitherTakenNorRemovedHere() throws InterruptedException {
        push("x");
        KeussQueue theirs = factory.queue("qs");
        JsonNode element = theirs.reserve(LONG);
        MessageQueue<JsonNode> queue = json("qs");
        assertThat(queue.remove(element.get("_id").asText())).isEqualTo(RemoveOutcome.HELD);
        assertThat(queue.pop(Duration.ofMillis(300))).isEmpty();
        // keuss has no count of its reservations, and nobody else can tell them from what is scheduled.
        assertThat(queue.counts().total()).isEqualTo(1);
        assertThat(queue.counts().ready()).isZero();
        assertThat(theirs.ok(element)).isTrue();
        assertThat(queue.counts().total()).isZero();
    }

    @Test
    void whatExpiredHereAndKeussHoldsNowIsStaleHere() throws InterruptedException {
        push("x");
        MessageQueue<JsonNode> brief = jono.queue(
                "qs",
                JsonNode.class,
                QueueOptions.builder()
                        .lease(Duration.ofMillis(300))
                        .pollInterval(Duration.ofMinutes(10))
                        .build());
        Reservation<JsonNode> held = reserved(brief);
        KeussQueue theirs = factory.queue("qs");
        JsonNode element = theirs.reserve(LONG);
        assertThat(element.get("_id").asText()).isEqualTo(held.id());
        assertThatThrownBy(held::ack).isInstanceOf(StaleReservationException.class);
        assertThatThrownBy(() -> held.retry(Duration.ZERO)).isInstanceOf(StaleReservationException.class);
        assertThatThrownBy(() -> held.extend(LONG)).isInstanceOf(StaleReservationException.class);
        assertThat(theirs.ok(element)).isTrue();
    }

    @Test
    void staleReturnByKeussBreaksTheReservationHereAndLosesNothing() throws InterruptedException {
        // keuss does not fence: no client can keep a stale ko of its from taking effect.
        KeussQueue theirs = factory.queue("qs", Map.of("reserve_delay", 0.3));
        push("x");
        JsonNode stale = theirs.reserve(LONG);
        Reservation<JsonNode> held = reserved(json("qs"));
        assertThat(held.id()).isEqualTo(stale.get("_id").asText());
        assertThat(theirs.ko(stale).asBoolean()).isTrue();
        assertThatThrownBy(held::ack).isInstanceOf(StaleReservationException.class);
        Reservation<JsonNode> again = reserved(json("qs"));
        assertThat(again.payload().asText()).isEqualTo("x");
        again.ack();
        assertThat(theirs.totalSize()).isZero();
    }

    @Test
    void staleCommitByKeussTakesTheMessageFromItsHolderWhichIsTold() throws InterruptedException {
        KeussQueue theirs = factory.queue("qs", Map.of("reserve_delay", 0.3));
        push("x");
        JsonNode stale = theirs.reserve(LONG);
        Reservation<JsonNode> held = reserved(json("qs"));
        assertThat(theirs.ok(stale)).isTrue();
        assertThatThrownBy(held::ack).isInstanceOf(StaleReservationException.class);
        assertThat(json("qs").counts().total()).isZero();
    }

    @Test
    void whatKeussGaveUpIsFoundHereAndSentBack() throws InterruptedException {
        KeussQueue theirs = factory.queue("qdl");
        theirs.push(Map.of("a", 1), Map.of("hdrs", Map.of("h", "x")));
        for (String expected : List.of("true", "true", "true", "\"deadletter\"")) {
            assertThat(theirs.ko(theirs.reserve(LONG))).hasToString(expected);
        }
        MessageQueue<EncodedPayload> dead = jono.deadLetters();
        assertThat(dead.counts().total()).isEqualTo(1);
        Headers headers = dead.browse(null, 10).get(0).headers();
        assertThat(headers.get("h")).isEqualTo("x");
        assertThat(headers.get(Headers.DL_FROM_QUEUE)).isEqualTo("qdl");
        assertThat(headers.get(Headers.DL_TRIES)).isEqualTo(3L);
        assertThat(dead.redrive()).isEqualTo(1);
        assertThat(theirs.pop(LONG).get("payload").toString()).isEqualTo("{\"a\":1}");
        Awaitility.await("keuss to flush")
                .atMost(LONG)
                .until(() -> theirs.stats().path("deadletter").asInt() == 1);
    }

    @Test
    void whatIsGivenUpHereIsFoundByKeuss() throws InterruptedException {
        json("qdl")
                .push(Keuss.JSON.valueToTree(Map.of("a", 1)), PushOptions.none().header("h", "x"));
        for (int i = 0; i < 3; i++) {
            assertThat(reserved(json("qdl")).retry(Duration.ZERO)).isEqualTo(RetryOutcome.RETRIED);
        }
        assertThat(reserved(json("qdl")).retry(Duration.ZERO)).isEqualTo(RetryOutcome.DEAD_LETTERED);
        JsonNode dead = factory.queue("__deadletter__").pop(LONG);
        assertThat(dead.get("payload").toString()).isEqualTo("{\"a\":1}");
        assertThat(dead.get("tries").asInt()).isZero();
        JsonNode headers = dead.get("hdrs");
        assertThat(headers.get("h").asText()).isEqualTo("x");
        assertThat(headers.get("x-dl-from-queue").asText()).isEqualTo("qdl");
        assertThat(headers.get("x-dl-tries").asInt()).isEqualTo(3);
        assertThat(headers.get("x-dl-t").asText()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        assertThat(factory.queue("qdl").totalSize()).isZero();
    }

    @Test
    void reservationsAndRetriesAreCountedTogether() throws Exception {
        KeussQueue theirs = factory.queue("qs");
        MessageQueue<JsonNode> queue = json("qs");
        push("x");
        theirs.ko(theirs.reserve(LONG));
        reserved(queue).retry(Duration.ZERO);
        theirs.ok(theirs.reserve(LONG));
        push("y");
        reserved(queue).ack();
        Awaitility.await("both to flush")
                .atMost(LONG)
                .until(() ->
                        theirs.stats().equals(Fixtures.json("{\"put\":2,\"reserve\":4,\"rollback\":2,\"commit\":2}")));
        assertThat(queue.stats().reserved()).isEqualTo(4);
        assertThat(queue.stats().retried()).isEqualTo(2);
        assertThat(queue.stats().acked()).isEqualTo(2);
    }

    @Test
    @Timeout(value = 150, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void bothReserveTwentyThousandAtOnce() throws Exception {
        consumeTogether(true, (queue, taken) -> {
            var worker = jono.worker()
                    .concurrency(16)
                    .from(queue, (payload, delivery) -> taken.add(payload.asLong()))
                    .start();
            return () -> worker.stop(Duration.ofSeconds(20));
        });
    }
}
