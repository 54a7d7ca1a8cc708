package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Capability;
import dev.jono.DeadLetter;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.StaleReservationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The row "order per key": which messages are handed out, and when. Whole queues are in {@link KeyedQueueRules}. */
abstract class KeyedRules extends KeyedQueueRules {
    KeyedRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    // ---- strict ---------------------------------------------------------------------------------------------

    @Test
    void messagesOfAKeyAreHandedOutOneAtATimeInTheOrderOfInsertion() throws Exception {
        MessageQueue<String> queue = keyed();
        push(queue, "a1", "a2", "a3");
        for (String expected : List.of("a1", "a2", "a3")) {
            Reservation<String> held = reserved(queue);
            assertThat(held.payload()).isEqualTo(expected);
            assertThat(held.key()).contains("a");
            assertNothingToReserve(queue);
            assertNothingToReserve(keyed(client()));
            held.ack();
        }
        assertNothingToReserve(queue);
    }

    @Test
    void keysDoNotWaitForEachOther() throws Exception {
        MessageQueue<String> queue = keyed();
        push(queue, "a1", "a2", "b1", "b2", "c1");
        List<Reservation<String>> held = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            held.add(reserved(queue));
        }
        assertThat(payloads(held)).containsExactly("a1", "b1", "c1");
        assertNothingToReserve(queue);
        held.get(1).ack();
        assertHandedOut(queue, "b2");
        held.get(0).ack();
        held.get(2).ack();
        reserved(queue).ack();
    }

    @Test
    void messagesWithoutAKeyAreIndependent() throws Exception {
        MessageQueue<String> queue = keyed();
        push(queue, "a1", "a2");
        queue.push("x");
        queue.push("y");
        List<Reservation<String>> held = List.of(reserved(queue), reserved(queue), reserved(queue));
        assertThat(payloads(held)).containsExactly("a1", "x", "y");
        assertThat(held.get(1).key()).isEmpty();
        held.forEach(Reservation::ack);
        reserved(queue).ack();
    }

    @Test
    void scheduledMessageBlocksTheLaterOnesOfItsKey() throws Exception {
        requires(Capability.SCHEDULE);
        MessageQueue<String> queue = keyed();
        queue.push("a1", PushOptions.delay(seconds(8)).key("a"));
        push(queue, "a2", "b1");
        assertHandedOut(queue, "b1");
        assertNothingToReserve(queue);
        pass(seconds(9));
        assertHandedOut(queue, "a1", "a2");
    }

    // ---- retry ----------------------------------------------------------------------------------------------

    @Test
    void retriedMessageKeepsItsPlaceAndItsKeyWaits() throws Exception {
        requires(Capability.SCHEDULE);
        MessageQueue<String> queue = keyed();
        push(queue, "a1", "a2", "b1");
        reserved(queue).retry(seconds(5));
        assertHandedOut(queue, "b1");
        assertNothingToReserve(queue);
        pass(seconds(6));
        assertHandedOut(queue, "a1", "a2");
    }

    @Test
    void releasedMessageKeepsItsPlace() throws Exception {
        MessageQueue<String> queue = keyed();
        push(queue, "a1", "a2");
        reserved(queue).release();
        Reservation<String> again = reserved(queue);
        assertThat(again.payload()).isEqualTo("a1");
        assertThat(again.tries()).isZero();
        again.ack();
        reserved(queue).ack();
    }

    @Test
    void expiredMessageComesBackBeforeTheLaterOnes() throws Exception {
        MessageQueue<String> queue = keyed();
        push(queue, "a1", "a2");
        Reservation<String> lost = queue.reserve(1, Duration.ZERO, dev.jono.ReserveOptions.lease(seconds(2)))
                .get(0);
        assertThat(lost.payload()).isEqualTo("a1");
        pass(seconds(3));
        Reservation<String> again = reserved(keyed(client()));
        assertThat(again.payload()).isEqualTo("a1");
        assertThatThrownBy(lost::ack).isInstanceOf(StaleReservationException.class);
        assertNothingToReserve(queue);
        again.ack();
        reserved(queue).ack();
    }

    @Test
    void deadLetteredMessageFreesItsKey() throws Exception {
        MessageQueue<String> queue = orders(
                jono(),
                QueueOptions.builder()
                        .keyed()
                        .deadLetter(DeadLetter.after(1).queue("dead"))
                        .build());
        push(queue, "a1", "a2");
        reserved(queue).retry();
        assertHandedOut(queue, "a2");
        Reservation<String> dead = reserved(queue("dead"));
        assertThat(dead.key()).contains("a");
        dead.ack();
    }

    @Test
    void removedMessageFreesItsKey() throws Exception {
        requires(Capability.REMOVE);
        MessageQueue<String> queue = keyed();
        String first = queue.push("a1", key("a")).id();
        push(queue, "a2");
        String last = queue.push("a3", key("a")).id();
        queue.remove(first);
        queue.remove(last);
        assertHandedOut(queue, "a2");
        assertNothingToReserve(queue);
    }

    @Test
    void movedMessageFreesItsKeyAndKeepsItInTheTarget() throws Exception {
        requires(Capability.MOVE);
        MessageQueue<String> queue = keyed();
        MessageQueue<String> target = queue(jono(), "target", keyedOptions(1));
        push(target, "a0");
        push(queue, "a1", "a2");
        reserved(queue).moveTo("target");
        assertHandedOut(queue, "a2");
        Reservation<String> first = reserved(target);
        assertThat(first.payload()).isEqualTo("a0");
        assertNothingToReserve(target);
        first.ack();
        Reservation<String> moved = reserved(target);
        assertThat(moved.payload()).isEqualTo("a1");
        assertThat(moved.key()).contains("a");
        moved.ack();
    }

    // ---- batch ----------------------------------------------------------------------------------------------

    @Test
    void batchHoldsConsecutiveMessagesOfAKeyInTheirOrder() throws Exception {
        MessageQueue<String> queue = keyed();
        push(queue, "a1", "a2", "a3", "a4");
        List<Reservation<String>> held = queue.reserve(3, Duration.ZERO);
        assertThat(payloads(held)).containsExactly("a1", "a2", "a3");
        assertNothingToReserve(queue);
        held.get(1).ack();
        assertNothingToReserve(queue);
        held.get(0).ack();
        assertNothingToReserve(queue);
        held.get(2).ack();
        reserved(queue).ack();
    }

    @Test
    void retryInABatchTakesTheLaterOnesOfItsKeyBackUncounted() throws Exception {
        MessageQueue<String> queue = keyed();
        push(queue, "a1", "a2", "a3", "a4");
        List<Reservation<String>> held = queue.reserve(4, Duration.ZERO);
        assertThat(held).hasSize(4);
        held.get(0).ack();
        held.get(1).retry();
        assertThatThrownBy(() -> held.get(2).ack()).isInstanceOf(StaleReservationException.class);
        assertThatThrownBy(() -> held.get(3).extend(seconds(10))).isInstanceOf(StaleReservationException.class);
        held.get(3).close();
        List<Reservation<String>> again = queue.reserve(4, Duration.ZERO);
        assertThat(payloads(again)).containsExactly("a2", "a3", "a4");
        assertThat(again).extracting(Message::tries).containsExactly(1, 0, 0);
        queue.ackAll(again);
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void retryOfALaterMessageOfABatchWaitsForTheEarlierOnes() throws Exception {
        MessageQueue<String> queue = keyed();
        push(queue, "a1", "a2", "a3");
        List<Reservation<String>> held = queue.reserve(2, Duration.ZERO);
        held.get(1).retry();
        assertNothingToReserve(queue);
        held.get(0).ack();
        assertHandedOut(queue, "a2");
        reserved(queue).ack();
    }

    @Test
    void expiredBatchComesBackInItsOrder() throws Exception {
        MessageQueue<String> queue = keyed();
        push(queue, "a1", "a2", "a3");
        List<Reservation<String>> lost = queue.reserve(2, Duration.ZERO, dev.jono.ReserveOptions.lease(seconds(2)));
        assertThat(lost).hasSize(2);
        pass(seconds(3));
        List<Reservation<String>> again = queue.reserve(3, Duration.ZERO);
        assertThat(payloads(again)).containsExactly("a1", "a2", "a3");
        assertThat(again).extracting(Message::tries).containsExactly(1, 1, 0);
        lost.forEach(each -> assertThatThrownBy(each::ack).isInstanceOf(StaleReservationException.class));
        queue.ackAll(again);
    }

    // ---- limit ----------------------------------------------------------------------------------------------

    @Test
    void atMostSoManyMessagesOfAKeyAreHeld() throws Exception {
        MessageQueue<String> queue = orders(jono(), keyedOptions(2));
        push(queue, "a1", "a2", "a3", "a4");
        List<Reservation<String>> held = new ArrayList<>(List.of(reserved(queue), reserved(queue)));
        assertThat(payloads(held)).containsExactly("a1", "a2");
        assertNothingToReserve(queue);
        held.get(0).ack();
        Reservation<String> third = reserved(queue);
        assertNothingToReserve(queue);
        third.retry();
        held.get(1).ack();
        for (int i = 0; i < 2; i++) {
            reserved(queue).ack();
        }
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void dueMessagesOfAKeyWithoutASlotDoNotHideOthers() throws Exception {
        requires(Capability.SCHEDULE);
        MessageQueue<String> queue = orders(jono(), keyedOptions(2));
        push(queue, "a1", "a2");
        List<Reservation<String>> held = List.of(reserved(queue), reserved(queue));
        for (int i = 0; i < 10; i++) {
            queue.push("later", PushOptions.delay(seconds(1)).key("a"));
        }
        queue.push("b1", PushOptions.delay(seconds(2)).key("b"));
        pass(seconds(3));
        assertHandedOut(queue, "b1");
        assertNothingToReserve(queue);
        held.get(0).ack();
        assertHandedOut(queue, "later", "later");
        held.get(1).ack();
        for (int i = 0; i < 8; i++) {
            reserved(queue).ack();
        }
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void callerOfSeveralMessagesGetsNoMoreOfAKeyThanMayBeHeld() throws Exception {
        MessageQueue<String> queue = orders(jono(), keyedOptions(2));
        push(queue, "a1", "a2", "a3", "b1");
        List<Reservation<String>> held = queue.reserve(4, Duration.ZERO);
        assertThat(payloads(held)).containsExactlyInAnyOrder("a1", "a2", "b1");
        held.get(0).retry();
        held.get(1).ack();
        held.get(2).ack();
        for (int i = 0; i < 2; i++) {
            reserved(queue).ack();
        }
        assertThat(queue.totalSize()).isZero();
    }
}
