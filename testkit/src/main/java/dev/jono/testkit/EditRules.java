package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Capability;
import dev.jono.DeadLetter;
import dev.jono.EditOutcome;
import dev.jono.Headers;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.ReserveOptions;
import dev.jono.StaleReservationException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The row "edit": reschedule and moveIdle. */
abstract class EditRules extends ContractCase {
    private static final String ABSENT = "0123456789abcdef01234567";

    EditRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsEdit() {
        requires(Capability.EDIT, Capability.SCHEDULE, Capability.RESERVE);
    }

    @Test
    void scheduledMessageIsMadeDueNow() throws Exception {
        MessageQueue<String> queue = orders();
        String id = queue.push("a", PushOptions.delay(seconds(60))).id();
        CompletableFuture<Optional<Message<String>>> waiting = track(queue.popAsync(Duration.ofHours(1)));
        assertThat(orders(client()).reschedule(id, Duration.ZERO)).isEqualTo(EditOutcome.DONE);
        Message<String> got =
                passUntilDone("the message", Duration.ofSeconds(20), waiting).orElseThrow();
        assertThat(got.payload()).isEqualTo("a");
        assertThat(got.id()).isEqualTo(id);
    }

    @Test
    void readyMessageIsMadeDueLater() throws Exception {
        MessageQueue<String> queue = orders();
        String id = queue.push("a").id();
        queue.push("b");
        assertThat(queue.reschedule(id, seconds(5))).isEqualTo(EditOutcome.DONE);
        assertThat(queue.counts().scheduled()).isEqualTo(1);
        assertThat(popAll(queue)).containsExactly("b");
        pass(seconds(6));
        assertThat(popAll(queue)).containsExactly("a");
    }

    @Test
    void instantInThePastIsDueBeforeOthers() throws Exception {
        MessageQueue<String> queue = orders();
        queue.pushAll(List.of("first", "a"));
        String id = queue.push("b").id();
        assertThat(popped(queue).payload()).isEqualTo("first");
        assertThat(queue.reschedule(id, Instant.ofEpochSecond(1000))).isEqualTo(EditOutcome.DONE);
        assertThat(popAll(queue)).containsExactly("b", "a");
    }

    @Test
    void rescheduleKeepsTriesAndHeaders() throws Exception {
        MessageQueue<String> queue = orders();
        String id = queue.push("a", PushOptions.none().header("tenant", "acme").tries(2))
                .id();
        assertThat(queue.reschedule(id, seconds(2))).isEqualTo(EditOutcome.DONE);
        pass(seconds(3));
        Reservation<String> held = reserved(queue);
        assertThat(held.tries()).isEqualTo(2);
        assertThat(held.headers().get("tenant")).isEqualTo("acme");
        held.ack();
    }

    @Test
    void heldAndAbsentMessagesAreNotChanged() throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("a");
        Reservation<String> held = reserved(queue);
        assertThat(queue.reschedule(held.id(), Duration.ZERO)).isEqualTo(EditOutcome.HELD);
        assertThat(queue.reschedule(ABSENT, Duration.ZERO)).isEqualTo(EditOutcome.ABSENT);
        held.ack();
    }

    @Test
    void heldAndAbsentMessagesAreNotMoved() throws Exception {
        requires(Capability.ATOMIC_MOVE);
        MessageQueue<String> queue = orders();
        queue.push("a");
        Reservation<String> held = reserved(queue);
        assertThat(queue.moveIdle(held.id(), "target")).isEqualTo(EditOutcome.HELD);
        assertThat(queue.moveIdle(ABSENT, "target")).isEqualTo(EditOutcome.ABSENT);
        held.ack();
        assertThat(queue("target").totalSize()).isZero();
    }

    /** A backend can store the text of a large message in another way than that of a small one. */
    @ParameterizedTest
    @ValueSource(ints = {1, 20_000})
    void messageWhoseLeaseHasEndedIsIdle(int length) throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("a".repeat(length));
        Reservation<String> lost = queue.reserve(1, Duration.ZERO, ReserveOptions.lease(seconds(2)))
                .get(0);
        pass(seconds(3));
        assertThat(queue.reschedule(lost.id(), Duration.ZERO)).isEqualTo(EditOutcome.DONE);
        assertThatThrownBy(lost::ack).isInstanceOf(StaleReservationException.class);
        Reservation<String> again = reserved(queue);
        assertThat(again.tries()).isEqualTo(1);
        again.ack();
    }

    @Test
    void idleMessageIsMovedWithIdPayloadAndHeaders() throws Exception {
        requires(Capability.ATOMIC_MOVE);
        MessageQueue<String> queue = orders();
        String id = queue.push(
                        "a",
                        PushOptions.delay(seconds(60)).header("tenant", "acme").tries(3))
                .id();
        CompletableFuture<Optional<Message<String>>> waiting =
                track(queue("target").popAsync(Duration.ofHours(1)));
        assertThat(orders(client()).moveIdle(id, "target")).isEqualTo(EditOutcome.DONE);
        Message<String> got =
                passUntilDone("the message", Duration.ofSeconds(20), waiting).orElseThrow();
        assertThat(got.id()).isEqualTo(id);
        assertThat(got.payload()).isEqualTo("a");
        assertThat(got.tries()).isZero();
        assertThat(got.headers().get("tenant")).isEqualTo("acme");
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void oneDeadLetterIsSentBack() throws Exception {
        requires(Capability.ATOMIC_MOVE);
        MessageQueue<String> queue = orders(
                jono(),
                QueueOptions.builder()
                        .deadLetter(DeadLetter.after(1).queue("dead"))
                        .build());
        queue.push("a");
        queue.push("b");
        Reservation<String> first = reserved(queue);
        first.retry();
        reserved(queue).retry();
        assertThat(queue("dead").moveIdle(first.id(), "orders")).isEqualTo(EditOutcome.DONE);
        Message<String> back = popped(queue);
        assertThat(back.payload()).isEqualTo("a");
        assertThat(back.headers().asMap()).doesNotContainKeys(Headers.DL_FROM_QUEUE, Headers.DL_REASON);
        assertThat(popAll(queue)).isEmpty();
        assertThat(popAll(queue("dead"))).containsExactly("b");
    }

    @Test
    void moveToTheQueueItselfIsRefused() throws Exception {
        String id = orders().push("a").id();
        assertThatThrownBy(() -> orders().moveIdle(id, "orders"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("orders");
        assertThat(popAll(orders())).containsExactly("a");
    }
}
