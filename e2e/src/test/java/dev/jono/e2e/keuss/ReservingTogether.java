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

/** The tests of backends that schedule and reserve together with keuss. */
interface ReservingTogether {
    KeussCase together();

    /** The result of keuss's ko when it dead-letters a message. */
    default String movedToDeadLetter() {
        return "\"deadletter\"";
    }

    /** What keuss counts for a dead letter. */
    default int deadLettersCounted() {
        return 1;
    }

    private static Reservation<JsonNode> reserved(MessageQueue<JsonNode> queue) throws InterruptedException {
        return queue.reserve(KeussCase.LONG).orElseThrow(() -> new AssertionError("nothing came"));
    }

    private void push(Object payload) {
        together().json("qs").push(Keuss.JSON.valueToTree(payload));
    }

    @Test
    default void delaysAreKeptAcross() throws Exception {
        KeussQueue theirs = together().factory.queue("qs");
        MessageQueue<JsonNode> queue = together().json("qs");
        theirs.push("later", Map.of("delay", 3.5));
        queue.push(Keuss.JSON.valueToTree("sooner"), PushOptions.delay(Duration.ofMillis(2_500)));
        assertThat(queue.counts().scheduled()).isEqualTo(2);
        assertThat(theirs.scheduledSize()).isEqualTo(2);
        assertThat(theirs.pop(KeussCase.LONG).get("payload").asText()).isEqualTo("sooner");
        assertThat(KeussCase.popped(queue).payload().asText()).isEqualTo("later");
    }

    @Test
    default void returnByKeussWakesAWaiterHere() throws Exception {
        KeussQueue theirs = together().factory.queue("qs");
        push("x");
        JsonNode element = theirs.reserve(KeussCase.LONG);
        CompletableFuture<Optional<Message<JsonNode>>> waiting =
                together().json("qs").popAsync(KeussCase.LONG);
        together().awaitListening("qs", 2);
        assertThat(theirs.ko(element).asBoolean()).isTrue();
        Message<JsonNode> message = KeussCase.got(waiting).orElseThrow();
        assertThat(message.payload().asText()).isEqualTo("x");
        assertThat(message.tries()).isEqualTo(1);
    }

    @Test
    default void retryHereWakesAWaiterOfKeussWithTheTriesCounted() throws Exception {
        push("x");
        Reservation<JsonNode> held = reserved(together().json("qs"));
        KeussQueue theirs = together().factory.queue("qs");
        CompletableFuture<JsonNode> waiting = theirs.popLater(KeussCase.LONG);
        theirs.awaitSleeping(1);
        assertThat(held.retry(Duration.ZERO)).isEqualTo(RetryOutcome.RETRIED);
        JsonNode element = KeussCase.got(waiting);
        assertThat(element.get("payload").asText()).isEqualTo("x");
        assertThat(element.get("tries").asInt()).isEqualTo(1);
        assertThat(KeussCase.id(element)).isEqualTo(held.id());
    }

    @Test
    default void keussNeitherTakesNorRemovesWhatIsHeldHere() throws InterruptedException {
        push("x");
        Reservation<JsonNode> held = reserved(together().json("qs"));
        KeussQueue theirs = together().factory.queue("qs");
        assertThat(theirs.remove(held.id())).isFalse();
        assertThatThrownBy(() -> theirs.pop(Duration.ofMillis(300))).hasMessage("timeout");
        assertThat(theirs.totalSize()).isEqualTo(1);
        held.ack();
        assertThat(theirs.totalSize()).isZero();
    }

    @Test
    default void whatKeussHoldsIsNeitherTakenNorRemovedHere() throws InterruptedException {
        push("x");
        KeussQueue theirs = together().factory.queue("qs");
        JsonNode element = theirs.reserve(KeussCase.LONG);
        MessageQueue<JsonNode> queue = together().json("qs");
        assertThat(queue.remove(KeussCase.id(element))).isEqualTo(RemoveOutcome.HELD);
        assertThat(queue.pop(Duration.ofMillis(300))).isEmpty();
        // keuss does not count its reservations, and Jono cannot distinguish them from scheduled messages.
        assertThat(queue.counts().total()).isEqualTo(1);
        assertThat(queue.counts().ready()).isZero();
        assertThat(theirs.ok(element)).isTrue();
        assertThat(queue.counts().total()).isZero();
    }

    @Test
    default void whatExpiredHereAndKeussHoldsNowIsStaleHere() throws InterruptedException {
        push("x");
        MessageQueue<JsonNode> brief = together()
                .jono
                .queue(
                        "qs",
                        JsonNode.class,
                        QueueOptions.builder()
                                .lease(Duration.ofMillis(300))
                                .pollInterval(Duration.ofMinutes(10))
                                .build());
        Reservation<JsonNode> held = reserved(brief);
        KeussQueue theirs = together().factory.queue("qs");
        JsonNode element = theirs.reserve(KeussCase.LONG);
        assertThat(KeussCase.id(element)).isEqualTo(held.id());
        assertThatThrownBy(held::ack).isInstanceOf(StaleReservationException.class);
        assertThatThrownBy(() -> held.retry(Duration.ZERO)).isInstanceOf(StaleReservationException.class);
        assertThatThrownBy(() -> held.extend(KeussCase.LONG)).isInstanceOf(StaleReservationException.class);
        assertThat(theirs.ok(element)).isTrue();
    }

    @Test
    default void staleReturnByKeussBreaksTheReservationHereAndLosesNothing() throws InterruptedException {
        // keuss has no fence: no client can prevent a stale ko of keuss from taking effect.
        KeussQueue theirs = together().factory.queue("qs", Map.of("reserve_delay", 0.3));
        push("x");
        JsonNode stale = theirs.reserve(KeussCase.LONG);
        Reservation<JsonNode> held = reserved(together().json("qs"));
        assertThat(held.id()).isEqualTo(KeussCase.id(stale));
        assertThat(theirs.ko(stale).asBoolean()).isTrue();
        assertThatThrownBy(held::ack).isInstanceOf(StaleReservationException.class);
        Reservation<JsonNode> again = reserved(together().json("qs"));
        assertThat(again.payload().asText()).isEqualTo("x");
        again.ack();
        assertThat(theirs.totalSize()).isZero();
    }

    @Test
    default void staleCommitByKeussTakesTheMessageFromItsHolderWhichIsTold() throws InterruptedException {
        KeussQueue theirs = together().factory.queue("qs", Map.of("reserve_delay", 0.3));
        push("x");
        JsonNode stale = theirs.reserve(KeussCase.LONG);
        Reservation<JsonNode> held = reserved(together().json("qs"));
        assertThat(theirs.ok(stale)).isTrue();
        assertThatThrownBy(held::ack).isInstanceOf(StaleReservationException.class);
        assertThat(together().json("qs").counts().total()).isZero();
    }

    @Test
    default void whatKeussGaveUpIsFoundHereAndSentBack() throws InterruptedException {
        KeussQueue theirs = together().factory.queue("qdl");
        theirs.push(Map.of("a", 1), Map.of("hdrs", Map.of("h", "x")));
        for (String expected : List.of("true", "true", "true", movedToDeadLetter())) {
            assertThat(theirs.ko(theirs.reserve(KeussCase.LONG))).hasToString(expected);
        }
        MessageQueue<EncodedPayload> dead = together().jono.deadLetters();
        assertThat(dead.counts().total()).isEqualTo(1);
        Headers headers = dead.browse(null, 10).get(0).headers();
        assertThat(headers.get("h")).isEqualTo("x");
        assertThat(headers.get(Headers.DL_FROM_QUEUE)).isEqualTo("qdl");
        assertThat(headers.get(Headers.DL_TRIES)).isEqualTo(3L);
        assertThat(dead.redrive()).isEqualTo(1);
        assertThat(theirs.pop(KeussCase.LONG).get("payload").toString()).isEqualTo("{\"a\":1}");
        Awaitility.await("keuss to flush")
                .atMost(KeussCase.LONG)
                .until(() -> theirs.stats().path("deadletter").asInt() == deadLettersCounted());
    }

    @Test
    default void whatIsGivenUpHereIsFoundByKeuss() throws InterruptedException {
        together()
                .json("qdl")
                .push(Keuss.JSON.valueToTree(Map.of("a", 1)), PushOptions.none().header("h", "x"));
        for (int i = 0; i < 3; i++) {
            assertThat(reserved(together().json("qdl")).retry(Duration.ZERO)).isEqualTo(RetryOutcome.RETRIED);
        }
        assertThat(reserved(together().json("qdl")).retry(Duration.ZERO)).isEqualTo(RetryOutcome.DEAD_LETTERED);
        JsonNode dead = together().factory.queue("__deadletter__").pop(KeussCase.LONG);
        assertThat(dead.get("payload").toString()).isEqualTo("{\"a\":1}");
        assertThat(dead.get("tries").asInt()).isZero();
        JsonNode headers = dead.get("hdrs");
        assertThat(headers.get("h").asText()).isEqualTo("x");
        assertThat(headers.get("x-dl-from-queue").asText()).isEqualTo("qdl");
        assertThat(headers.get("x-dl-tries").asInt()).isEqualTo(3);
        assertThat(headers.get("x-dl-t").asText()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        assertThat(together().factory.queue("qdl").totalSize()).isZero();
    }

    @Test
    default void reservationsAndRetriesAreCountedTogether() throws Exception {
        KeussQueue theirs = together().factory.queue("qs");
        MessageQueue<JsonNode> queue = together().json("qs");
        push("x");
        theirs.ko(theirs.reserve(KeussCase.LONG));
        reserved(queue).retry(Duration.ZERO);
        theirs.ok(theirs.reserve(KeussCase.LONG));
        push("y");
        reserved(queue).ack();
        Awaitility.await("both to flush")
                .atMost(KeussCase.LONG)
                .until(() ->
                        theirs.stats().equals(Fixtures.json("{\"put\":2,\"reserve\":4,\"rollback\":2,\"commit\":2}")));
        assertThat(queue.stats().reserved()).isEqualTo(4);
        assertThat(queue.stats().retried()).isEqualTo(2);
        assertThat(queue.stats().acked()).isEqualTo(2);
    }
}
