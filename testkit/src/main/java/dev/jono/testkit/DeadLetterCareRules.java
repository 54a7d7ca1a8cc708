package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jono.Backoff;
import dev.jono.BrowsedMessage;
import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PayloadKind;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.ReserveOptions;
import dev.jono.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dead letters: payloads that cannot be decoded, messages that kill their consumers, and redrive. */
abstract class DeadLetterCareRules extends ContractCase {
    private static final EncodedPayload BROKEN =
            EncodedPayload.of(PayloadKind.JSON, "{\"unfinished\":".getBytes(StandardCharsets.UTF_8));

    DeadLetterCareRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsReserve() {
        requires(Capability.RESERVE);
    }

    private MessageQueue<Map<String, Object>> typed(QueueOptions options) {
        return jono().queue("orders", new dev.jono.TypeRef<Map<String, Object>>() {}, options);
    }

    @Test
    void undecodablePayloadCountsAsARetryAndEndsInTheDeadLetterAsItWas() throws Exception {
        MessageQueue<Map<String, Object>> typed = typed(QueueOptions.builder()
                .deadLetter(DeadLetter.after(2))
                .backoff(Backoff.fixed(Duration.ZERO))
                .build());
        String id = jono().queue("orders", Codec.raw()).push(BROKEN).id();
        UndecodableException first =
                catchThrowableOfType(UndecodableException.class, () -> typed.reserve(Duration.ZERO));
        assertThat(first).isNotNull();
        assertThat(first.queue()).isEqualTo("orders");
        assertThat(first.id()).isEqualTo(id);
        assertThat(first.raw()).isEqualTo(BROKEN);
        assertThat(first)
                .hasMessageContaining("payload of message " + id + " in queue 'orders'")
                .hasMessageContaining("cannot be decoded")
                .hasMessageContaining("it is kept unchanged: retried later");
        awaitReal("the message to be back", () -> typed.counts().ready() == 1);
        assertThat(typed.get(id).map(Message::tries)).contains(1);
        assertThatThrownBy(() -> typed.reserve(Duration.ZERO)).isInstanceOf(UndecodableException.class);
        awaitReal("the message to be moved", () -> typed.totalSize() == 0);
        Message<EncodedPayload> dead = popped(jono().deadLetters());
        assertThat(dead.payload()).isEqualTo(BROKEN);
        assertThat(dead.headers().get(Headers.DL_REASON)).isEqualTo("undecodable");
        assertThat(dead.headers().get(Headers.DL_FROM_QUEUE)).isEqualTo("orders");
    }

    @Test
    void undecodablePayloadReturnsWithAGrowingDelay() {
        requires(Capability.SCHEDULE);
        MessageQueue<Map<String, Object>> typed = typed(QueueOptions.builder()
                .backoff(Backoff.exponential(seconds(4), 3, seconds(1_000), 0))
                .pollInterval(NO_POLL)
                .build());
        jono().queue("orders", Codec.raw()).push(BROKEN);
        List<Duration> deliveries = new ArrayList<>();
        long begin = storage().clientClock().nanos();
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Optional<Reservation<Map<String, Object>>>> waiting =
                    track(typed.reserveAsync(seconds(1_000)));
            passUntil("delivery " + i, seconds(60), waiting::isDone);
            assertThatThrownBy(waiting::join).hasCauseInstanceOf(UndecodableException.class);
            deliveries.add(Duration.ofNanos(storage().clientClock().nanos() - begin));
            awaitReal("the message to be back", () -> typed.counts().reserved() == 0);
        }
        assertThat(deliveries.get(1)).as("after the first delay").isGreaterThanOrEqualTo(seconds(4));
        assertThat(deliveries.get(2)).as("after the second delay").isGreaterThanOrEqualTo(seconds(4 + 12));
    }

    @Test
    void undecodablePayloadIsRetriedByPopToo() throws Exception {
        MessageQueue<Map<String, Object>> typed = typed(QueueOptions.builder()
                .deadLetter(DeadLetter.after(2))
                .backoff(Backoff.fixed(Duration.ZERO))
                .build());
        jono().queue("orders", Codec.raw()).push(BROKEN);
        assertThatThrownBy(() -> typed.pop(Duration.ZERO)).isInstanceOf(UndecodableException.class);
        awaitReal("the message to be back", () -> typed.counts().ready() == 1);
        assertThatThrownBy(() -> typed.pop(Duration.ZERO)).isInstanceOf(UndecodableException.class);
        awaitReal("the message to be moved", () -> jono().deadLetters().totalSize() == 1);
        assertThat(typed.totalSize()).isZero();
        assertThat(popped(jono().deadLetters()).payload()).isEqualTo(BROKEN);
    }

    @Test
    void undecodablePayloadOfABackendThatCannotReserveIsKeptInTheDeadLetter() throws Exception {
        Faults faults = new Faults().hide(Capability.RESERVE, Capability.MOVE, Capability.ATOMIC_MOVE);
        QueueFactory client = client(faults);
        MessageQueue<Map<String, Object>> typed =
                client.queue("orders", new dev.jono.TypeRef<Map<String, Object>>() {});
        String id = client.queue("orders", Codec.raw()).push(BROKEN).id();
        UndecodableException failure = catchThrowableOfType(UndecodableException.class, () -> typed.pop(Duration.ZERO));
        assertThat(failure).isNotNull();
        assertThat(failure.id()).isEqualTo(id);
        assertThat(failure.raw()).isEqualTo(BROKEN);
        awaitReal("the dead letter", () -> client.deadLetters().totalSize() == 1);
        assertThat(typed.totalSize()).isZero();
        Message<EncodedPayload> dead = popped(client.deadLetters());
        assertThat(dead.payload()).isEqualTo(BROKEN);
        assertThat(dead.headers().get(Headers.DL_REASON)).isEqualTo("undecodable");
    }

    @Test
    void undecodablePayloadDoesNotFailItsNeighbours() throws Exception {
        MessageQueue<Map<String, Object>> typed = typed(QueueOptions.none());
        typed.push(Map.of("n", 1));
        jono().queue("orders", Codec.raw()).push(BROKEN);
        typed.push(Map.of("n", 2));
        List<Reservation<Map<String, Object>>> found = typed.reserve(10, Duration.ZERO);
        assertThat(found.stream().map(Message::payload)).containsExactly(Map.of("n", 1), Map.of("n", 2));
        typed.ackAll(found);
        awaitReal("the broken one to be back", () -> typed.counts().reserved() == 0);
        assertThat(typed.totalSize()).isEqualTo(1);
    }

    @Test
    void redriveSendsDeadLettersBackWhereTheyCameFrom() throws Exception {
        MessageQueue<String> queue = orders(
                jono(), QueueOptions.builder().deadLetter(DeadLetter.after(1)).build());
        MessageQueue<String> other = queue(
                jono(),
                "other",
                QueueOptions.builder().deadLetter(DeadLetter.after(1)).build());
        String id = queue.push("a", PushOptions.none().header("tenant", "acme")).id();
        other.push("b");
        reserved(queue).retry(new IllegalStateException("bad"));
        reserved(other).reject("no");
        MessageQueue<EncodedPayload> deadLetters = jono().deadLetters();
        assertThat(deadLetters.totalSize()).isEqualTo(2);
        assertThat(deadLetters.redrive()).isEqualTo(2);
        assertThat(deadLetters.totalSize()).isZero();
        Reservation<String> back = reserved(queue);
        assertThat(back.id()).isEqualTo(id);
        assertThat(back.payload()).isEqualTo("a");
        assertThat(back.tries()).isZero();
        assertThat(back.headers().asMap()).isEqualTo(Map.of("tenant", "acme"));
        back.ack();
        assertThat(popped(other).payload()).isEqualTo("b");
    }

    @Test
    void redriveMovesNoMoreThanAskedAndLeavesWhatHasNoOrigin() throws Exception {
        MessageQueue<String> queue = orders(
                jono(), QueueOptions.builder().deadLetter(DeadLetter.after(5)).build());
        jono().deadLetters().push(EncodedPayload.of(PayloadKind.STRING, new byte[] {'x'}));
        queue.pushAll(List.of("a", "b", "c"));
        queue.reserve(3, Duration.ZERO).forEach(r -> r.reject("no"));
        assertThat(jono().deadLetters().redrive(2)).isEqualTo(2);
        assertThat(queue.size()).isEqualTo(2);
        assertThat(jono().deadLetters().redrive()).isEqualTo(1);
        assertThat(jono().deadLetters().redrive()).isZero();
        assertThat(jono().deadLetters().totalSize()).isEqualTo(1);
        assertThat(jono().deadLetters().counts().reserved()).isZero();
    }

    @Test
    void redriveWakesWhoWaits() throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("a");
        reserved(queue).reject("no");
        var waiting = track(queue.popAsync(seconds(1_000)));
        assertThat(jono().deadLetters().redrive()).isEqualTo(1);
        awaitReal("the signal", waiting::isDone);
        assertThat(waiting.join()).isPresent();
    }

    /** With a limit of one delivery each message is claimed alone, which needs a thousand round trips. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    @Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void oneMessageAmongAThousandThatKillsItsConsumersIsTheOnlyOneMoved(int maxDeliveries) throws Exception {
        QueueOptions options = QueueOptions.builder()
                .deadLetter(DeadLetter.after(maxDeliveries))
                .build();
        List<String> payloads = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            payloads.add(i == 500 ? "poison" : "m" + i);
        }
        QueueFactory stays = jono();
        orders(stays).pushAll(payloads);
        List<String> acked = new ArrayList<>();
        int deaths = 0;
        while (orders(stays).totalSize() > 0) {
            MessageQueue<String> queue = orders(stays, options);
            List<Reservation<String>> batch = queue.reserve(64, Duration.ZERO, ReserveOptions.lease(seconds(5)));
            if (batch.stream().anyMatch(r -> r.payload().equals("poison"))) {
                // The process dies: it settles nothing and closes nothing.
                assertThat(++deaths).as("deaths").isLessThanOrEqualTo(maxDeliveries);
                pass(seconds(6));
                continue;
            }
            batch.forEach(r -> acked.add(r.payload()));
            queue.ackAll(batch);
        }
        assertThat(acked).hasSize(999).doesNotContain("poison").doesNotHaveDuplicates();
        assertThat(deaths).isEqualTo(maxDeliveries);
        List<BrowsedMessage<EncodedPayload>> dead =
                declared(Capability.BROWSE) ? jono().deadLetters().browse(null, 10) : List.of();
        assertThat(jono().deadLetters().totalSize()).isEqualTo(1);
        dead.forEach(d -> assertThat(d.payload().text()).isEqualTo("poison"));
        Message<EncodedPayload> moved = popped(jono().deadLetters());
        assertThat(moved.payload().text()).isEqualTo("poison");
        assertThat(moved.headers().get(Headers.DL_REASON)).isEqualTo("expired");
    }
}
