package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.DeadLetter;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.ReserveOptions;
import dev.jono.RetryOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A message is delivered at most maxDeliveries times, and then moved with the reason in its headers. */
abstract class DeadLetterRules extends ContractCase {
    DeadLetterRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsReserve() {
        requires(Capability.RESERVE);
    }

    private MessageQueue<String> ordersWith(DeadLetter deadLetter) {
        return orders(jono(), QueueOptions.builder().deadLetter(deadLetter).build());
    }

    /** Returns the only dead letter, which must be there. */
    private Message<EncodedPayload> deadLetter() throws InterruptedException {
        MessageQueue<EncodedPayload> deadLetters = jono().deadLetters();
        assertThat(deadLetters.totalSize()).as("dead letters").isEqualTo(1);
        return popped(deadLetters);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void messageIsDeliveredExactlySoOften(int most) throws Exception {
        MessageQueue<String> queue = ordersWith(DeadLetter.after(most));
        String id = queue.push("a").id();
        for (int delivery = 1; delivery < most; delivery++) {
            assertThat(reserved(queue).retry(Duration.ZERO)).isEqualTo(RetryOutcome.RETRIED);
        }
        assertThat(reserved(queue).retry(Duration.ZERO)).isEqualTo(RetryOutcome.DEAD_LETTERED);
        assertThat(queue.totalSize()).isZero();
        Message<EncodedPayload> dead = deadLetter();
        assertThat(dead.payload().text()).isEqualTo("a");
        assertThat(dead.id()).isEqualTo(id);
        assertThat(dead.headers().get(Headers.DL_TRIES)).isEqualTo((long) (most - 1));
    }

    @Test
    void deadLetterTellsItsStory() throws Exception {
        MessageQueue<String> queue = ordersWith(DeadLetter.after(2));
        queue.push("a", PushOptions.none().header("tenant", "acme").header("n", 5));
        reserved(queue).retry(new IllegalStateException("the first failure"));
        Reservation<String> last = reserved(queue);
        assertThat(last.retry(new IllegalStateException("the last failure"))).isEqualTo(RetryOutcome.DEAD_LETTERED);
        Headers headers = deadLetter().headers();
        assertThat(headers.get(Headers.DL_FROM_QUEUE)).isEqualTo("orders");
        assertThat(headers.get(Headers.DL_REASON)).isEqualTo("limit");
        assertThat(headers.get(Headers.DL_TRIES)).isEqualTo(1L);
        assertThat(headers.string(Headers.DL_ERROR)).contains("the last failure");
        assertThat(headers.string(Headers.DL_TIME)).matches("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z");
        assertThat(headers.get("tenant")).isEqualTo("acme");
        assertThat(headers.get("n")).isEqualTo(5L);
    }

    @Test
    void timeOfADeadLetterIsTheTimeOfItsMove() throws Exception {
        MessageQueue<String> queue = ordersWith(DeadLetter.after(1));
        queue.push("a");
        Reservation<String> held = reserved(queue);
        pass(seconds(5));
        held.retry();
        Message<EncodedPayload> dead = deadLetter();
        Instant moved = Instant.parse(String.valueOf(dead.headers().get(Headers.DL_TIME)));
        assertThat(moved).isAfterOrEqualTo(held.dueAt().plus(seconds(5)));
        assertThat(moved).isBefore(held.dueAt().plus(seconds(5)).plusSeconds(30));
    }

    @Test
    void expiryOfTheLastDeliveryMovesItWithTheReason() throws Exception {
        MessageQueue<String> queue = ordersWith(DeadLetter.after(2));
        queue.push("a");
        for (int i = 0; i < 2; i++) {
            queue.reserve(1, Duration.ZERO, ReserveOptions.lease(seconds(2))).get(0);
            pass(seconds(3));
        }
        assertThat(queue.reserve(Duration.ZERO)).isEmpty();
        awaitReal("the message to be moved", () -> queue.totalSize() == 0);
        Headers headers = deadLetter().headers();
        assertThat(headers.get(Headers.DL_REASON)).isEqualTo("expired");
        assertThat(headers.get(Headers.DL_TRIES)).isEqualTo(1L);
        assertThat(headers.get(Headers.DL_FROM_QUEUE)).isEqualTo("orders");
    }

    @Test
    void rejectMovesAtOnceWithTheReason() throws Exception {
        MessageQueue<String> queue = ordersWith(DeadLetter.after(10));
        queue.push("a");
        Reservation<String> held = reserved(queue);
        held.reject("address unknown");
        assertThat(held.isSettled()).isTrue();
        assertThat(queue.totalSize()).isZero();
        Headers headers = deadLetter().headers();
        assertThat(headers.get(Headers.DL_REASON)).isEqualTo("rejected");
        assertThat(headers.get(Headers.DL_ERROR)).isEqualTo("address unknown");
        assertThat(headers.get(Headers.DL_TRIES)).isEqualTo(0L);
    }

    @Test
    void rejectMovesEvenWhereMessagesAreNeverGivenUp() throws Exception {
        MessageQueue<String> queue = ordersWith(DeadLetter.never());
        queue.push("a");
        reserved(queue).reject("no");
        assertThat(deadLetter().payload().text()).isEqualTo("a");
    }

    @Test
    void neverMeansNever() throws Exception {
        MessageQueue<String> queue = ordersWith(DeadLetter.never());
        queue.push("a");
        for (int i = 0; i < 40; i++) {
            assertThat(reserved(queue).retry(Duration.ZERO)).isEqualTo(RetryOutcome.RETRIED);
        }
        assertThat(popped(queue).tries()).isEqualTo(40);
        assertThat(jono().deadLetters().totalSize()).isZero();
    }

    @Test
    void unlessToldOtherwiseTwentyFiveDeliveriesAreMade() throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("a");
        for (int i = 1; i < 25; i++) {
            assertThat(reserved(queue).retry(Duration.ZERO)).isEqualTo(RetryOutcome.RETRIED);
        }
        assertThat(reserved(queue).retry(Duration.ZERO)).isEqualTo(RetryOutcome.DEAD_LETTERED);
        assertThat(deadLetter().payload().text()).isEqualTo("a");
    }

    @Test
    void deadLettersGoToTheQueueThatWasNamed() throws Exception {
        MessageQueue<String> queue = ordersWith(DeadLetter.after(1).queue("graveyard"));
        queue.push("a");
        reserved(queue).retry();
        assertThat(jono().deadLetters().totalSize()).isZero();
        assertThat(popped(queue("graveyard")).payload()).isEqualTo("a");
    }

    @Test
    void deadLetterQueueNeverDeadLetters() throws Exception {
        MessageQueue<String> graveyard = queue(
                jono(),
                "graveyard",
                QueueOptions.builder()
                        .deadLetter(DeadLetter.after(1).queue("graveyard"))
                        .build());
        graveyard.push("a");
        for (int i = 0; i < 3; i++) {
            assertThat(reserved(graveyard).retry(Duration.ZERO)).isEqualTo(RetryOutcome.RETRIED);
        }
        graveyard.reserve(1, Duration.ZERO, ReserveOptions.lease(seconds(2)));
        pass(seconds(3));
        reserved(graveyard).ack();
        assertThat(graveyard.totalSize()).isZero();
    }

    @Test
    void rejectInTheDeadLetterQueueLosesNothing() throws Exception {
        MessageQueue<EncodedPayload> deadLetters = jono().deadLetters();
        MessageQueue<String> queue = ordersWith(DeadLetter.after(1));
        queue.push("a");
        reserved(queue).retry();
        reserved(deadLetters).reject("still no good");
        assertThat(deadLetters.totalSize()).isEqualTo(1);
        assertThat(deadLetters.counts().reserved()).isZero();
    }

    @Test
    void deadLetterWakesWhoWaitsForIt() throws Exception {
        MessageQueue<String> graveyard = queue("graveyard");
        var waiting = track(graveyard.popAsync(seconds(1_000)));
        MessageQueue<String> queue = ordersWith(DeadLetter.after(1).queue("graveyard"));
        queue.push("a");
        reserved(queue).retry();
        awaitReal("the signal", waiting::isDone);
        assertThat(waiting.join()).isPresent();
    }
}
