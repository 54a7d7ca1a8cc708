package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.BrowsedMessage;
import dev.jono.BrowsedMessage.State;
import dev.jono.Capability;
import dev.jono.DeadLetter;
import dev.jono.EditOutcome;
import dev.jono.JonoException;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueCounts;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The part of the row "order per key" about whole queues: counts, pops, purges, other processes, wake-ups. */
abstract class KeyedQueueRules extends KeyedCase {
    KeyedQueueRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    // ---- look -----------------------------------------------------------------------------------------------

    @Test
    void countsAndBrowseTellWhatIsBlocked() throws Exception {
        MessageQueue<String> queue = keyed();
        push(queue, "a1", "a2", "a3", "b1");
        Reservation<String> held = reserved(queue);
        assertThat(queue.counts()).isEqualTo(QueueCounts.of(1, 0, 1, 2));
        assertThat(jono().counts()).containsEntry(queue.name(), QueueCounts.of(1, 0, 1, 2));
        assertThat(queue.totalSize()).isEqualTo(4);
        if (declared(Capability.BROWSE)) {
            List<BrowsedMessage<String>> all = queue.browse(null, 10);
            assertThat(all).extracting(Message::payload).containsExactlyInAnyOrder("a1", "a2", "a3", "b1");
            assertThat(all)
                    .filteredOn(message -> message.state() == State.BLOCKED)
                    .extracting(Message::payload)
                    .containsExactlyInAnyOrder("a2", "a3");
            assertThat(all)
                    .allSatisfy(m -> assertThat(m.key()).contains(m.payload().substring(0, 1)));
        }
        held.ack();
        queue.purge();
        assertThat(queue.totalSize()).isZero();
    }

    // ---- take, restore, purge -------------------------------------------------------------------------------

    @Test
    void popHandsOutInTheOrderOfAKeyToo() throws Exception {
        MessageQueue<String> queue = keyed();
        push(queue, "a1", "a2", "a3");
        Reservation<String> held = reserved(queue);
        assertThat(queue.pop(Duration.ZERO)).isEmpty();
        held.ack();
        Message<String> popped = popped(queue);
        assertThat(popped.payload()).isEqualTo("a2");
        queue.restore(List.of(popped));
        assertThat(popAll(queue)).containsExactly("a2", "a3");
    }

    /** The later message is held while the earlier one comes back. When it is not held any more, the key must go on. */
    @Test
    void keyGoesOnWhereALaterMessageWasHeldDuringARestore() throws Exception {
        MessageQueue<String> queue = keyed();
        push(queue, "a1", "b1", "c1");
        List<Message<String>> popped = List.of(popped(queue), popped(queue), popped(queue));
        push(queue, "a2", "b2", "c2");
        Map<String, Reservation<String>> held = new HashMap<>();
        for (int i = 0; i < 3; i++) {
            Reservation<String> later = reserved(queue);
            held.put(later.payload(), later);
        }
        assertThat(held).containsOnlyKeys("a2", "b2", "c2");
        queue.restore(popped);
        assertNothingToReserve(queue);
        got(held, "a2").ack();
        got(held, "b2").retry(Duration.ZERO);
        got(held, "c2").extend(seconds(1));
        pass(seconds(2));
        List<String> rest = new ArrayList<>();
        for (Reservation<String> next = reserved(queue); next != null; next = next(queue)) {
            rest.add(next.payload());
            next.ack();
        }
        assertThat(rest).containsExactlyInAnyOrder("a1", "b1", "b2", "c1", "c2");
    }

    private static Reservation<String> got(Map<String, Reservation<String>> held, String payload) {
        return Objects.requireNonNull(held.get(payload));
    }

    private static @Nullable Reservation<String> next(MessageQueue<String> queue) throws InterruptedException {
        return queue.reserve(Duration.ZERO).orElse(null);
    }

    @Test
    void purgeLeavesTheHeldMessageAndItsKeyGoesOn() throws Exception {
        MessageQueue<String> queue = keyed();
        push(queue, "a1", "a2", "b1");
        Reservation<String> held = reserved(queue);
        assertThat(queue.purge()).isEqualTo(2);
        push(queue, "a3");
        assertNothingToReserve(queue);
        held.ack();
        assertHandedOut(queue, "a3");
    }

    // ---- fair, mixed, wake-up -------------------------------------------------------------------------------

    @Test
    void keyWithManyMessagesDoesNotStarveTheOthers() throws Exception {
        MessageQueue<String> queue = keyed();
        for (int i = 0; i < 50; i++) {
            queue.push("a" + i, key("a"));
        }
        push(queue, "b1");
        List<String> first = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Reservation<String> held = reserved(queue);
            first.add(held.payload());
            pass(seconds(0.1));
            held.ack();
        }
        assertThat(first).contains("b1").containsSubsequence("a0", "a1");
        queue.purge();
    }

    @Test
    void queueIsKeyedAlikeInAllProcesses() throws Exception {
        push(keyed(), "a1");
        MessageQueue<String> unkeyed = orders(client());
        assertThatThrownBy(() -> unkeyed.reserve(Duration.ZERO))
                .isInstanceOf(JonoException.class)
                .hasMessageContainingAll("orders", "keyed");
        MessageQueue<String> other = orders(client(), keyedOptions(3));
        assertThatThrownBy(() -> other.reserve(Duration.ZERO))
                .isInstanceOf(JonoException.class)
                .hasMessageContainingAll("orders", "keyed(1)", "keyed(3)");
        assertThatThrownBy(() -> unkeyed.push("a2", key("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("keyed");
        reserved(keyed()).ack();
    }

    @Test
    void queueWithMessagesDoesNotBecomeKeyed() throws Exception {
        orders().push("x");
        assertThatThrownBy(() -> keyed(client()).reserve(Duration.ZERO))
                .isInstanceOf(JonoException.class)
                .hasMessageContainingAll("orders", "not keyed");
        assertThat(popAll(orders())).containsExactly("x");
    }

    @Test
    void waitingConsumerOfAnotherClientWakesWhenAKeyBecomesFree() throws Exception {
        requires(Capability.SHARED);
        MessageQueue<String> queue = keyed();
        push(queue, "a1", "a2");
        Reservation<String> held = reserved(queue);
        CompletableFuture<Optional<Reservation<String>>> waiting =
                track(keyed(client()).reserveAsync(Duration.ofMinutes(5)));
        held.ack();
        Reservation<String> next = passUntilDone("the waiting consumer", Duration.ofSeconds(20), waiting)
                .orElseThrow();
        assertThat(next.payload()).isEqualTo("a2");
        next.ack();
    }

    @Test
    void waitingConsumerWakesWhenAKeyBecomesFree() throws Exception {
        MessageQueue<String> queue = keyed();
        push(queue, "a1", "a2");
        Reservation<String> held = reserved(queue);
        CompletableFuture<Optional<Reservation<String>>> waiting = track(queue.reserveAsync(Duration.ofMinutes(5)));
        held.ack();
        Reservation<String> next = passUntilDone("the waiting consumer", Duration.ofSeconds(20), waiting)
                .orElseThrow();
        assertThat(next.payload()).isEqualTo("a2");
        next.ack();
    }

    /** No consumer of the target has been there yet. */
    @Test
    void moveMakesAnUnusedTargetKeyed() throws Exception {
        requires(Capability.MOVE);
        MessageQueue<String> queue = keyed();
        MessageQueue<String> target = queue(jono(), "target", keyedOptions(1));
        push(queue, "a1", "a2");
        reserved(queue).moveTo("target");
        reserved(queue).moveTo("target");
        assertInOrder(target, "a1", "a2");
    }

    @Test
    void moveOfAnIdleMessageMakesAnUnusedTargetKeyed() throws Exception {
        requires(Capability.EDIT, Capability.ATOMIC_MOVE);
        MessageQueue<String> queue = keyed();
        MessageQueue<String> target = queue(jono(), "target", keyedOptions(1));
        for (String payload : List.of("a1", "a2")) {
            assertThat(queue.moveIdle(queue.push(payload, key("a")).id(), "target"))
                    .isEqualTo(EditOutcome.DONE);
        }
        assertInOrder(target, "a1", "a2");
    }

    private static void assertInOrder(MessageQueue<String> queue, String firstPayload, String secondPayload)
            throws InterruptedException {
        Reservation<String> first = reserved(queue);
        assertThat(first.payload()).isEqualTo(firstPayload);
        assertNothingToReserve(queue);
        first.ack();
        assertHandedOut(queue, secondPayload);
    }

    @Test
    void moveLeavesTheSettingOfATargetWithMessages() throws Exception {
        requires(Capability.ATOMIC_MOVE);
        MessageQueue<String> consumer = queue(client(), "target", QueueOptions.none());
        consumer.push("x");
        MessageQueue<String> queue = keyed();
        queue(jono(), "target", keyedOptions(1));
        push(queue, "a1");
        reserved(queue).moveTo("target");
        assertThat(popAll(consumer)).containsExactly("x", "a1");
    }

    @Test
    void redrivenMessageGoesBackToItsKey() throws Exception {
        requires(Capability.MOVE);
        MessageQueue<String> queue = orders(
                jono(),
                QueueOptions.builder()
                        .keyed()
                        .deadLetter(DeadLetter.after(1).queue("dead"))
                        .build());
        push(queue, "a1", "a2");
        reserved(queue).retry();
        assertThat(queue("dead").redrive()).isEqualTo(1);
        Reservation<String> second = reserved(queue);
        assertThat(second.payload()).isEqualTo("a2");
        assertNothingToReserve(queue);
        second.ack();
        Reservation<String> back = reserved(queue);
        assertThat(back.payload()).isEqualTo("a1");
        assertThat(back.key()).contains("a");
        back.ack();
    }
}
