package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.jono.Capability;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.Lease;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PartialFailureException;
import dev.jono.RemoveOutcome;
import dev.jono.Reservation;
import dev.jono.ReserveOptions;
import dev.jono.StaleReservationException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Settling steps take effect only while the message is still reserved by this holder. */
abstract class FencedRules extends ContractCase {
    FencedRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsReserve() {
        requires(Capability.RESERVE);
    }

    private void needed(SettleStep step) {
        if (step == SettleStep.MOVE_TO) {
            requires(Capability.MOVE);
        }
    }

    private Reservation<String> expired(MessageQueue<String> queue) throws InterruptedException {
        queue.push("a");
        Reservation<String> held = queue.reserve(1, Duration.ZERO, ReserveOptions.lease(seconds(2)))
                .get(0);
        pass(seconds(3));
        return held;
    }

    @ParameterizedTest
    @EnumSource(SettleStep.class)
    void staleStepIsRefusedAndTheNewHolderUntouched(SettleStep step) throws Exception {
        needed(step);
        Reservation<String> stale = expired(orders());
        Reservation<String> current = reserved(orders(client()));
        StaleReservationException refusal = catchThrowableOfType(StaleReservationException.class, () -> step.on(stale));
        assertThat(refusal).as("refusal of a stale %s", step).isNotNull();
        assertThat(refusal.gone()).isFalse();
        assertThat(refusal.queue()).isEqualTo("orders");
        assertThat(refusal.id()).isEqualTo(stale.id());
        assertThat(refusal.getMessage()).contains("orders", stale.id());
        assertThat(orders().counts().reserved()).isEqualTo(1);
        assertThat(jono().deadLetters().totalSize()).isZero();
        assertThat(queue("elsewhere").totalSize()).isZero();
        current.ack();
        assertThat(orders().totalSize()).isZero();
    }

    @ParameterizedTest
    @EnumSource(SettleStep.class)
    void staleStepFailsItsFutureToo(SettleStep step) throws Exception {
        needed(step);
        Reservation<String> stale = expired(orders());
        Reservation<String> current = reserved(orders(client()));
        assertThatThrownBy(() -> track(step.startOn(stale)).join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(StaleReservationException.class);
        current.ack();
    }

    @ParameterizedTest
    @EnumSource(SettleStep.class)
    void stepAfterAnAckIsRefusedAsGone(SettleStep step) throws Exception {
        needed(step);
        orders().push("a");
        Reservation<String> done = reserved(orders());
        done.ack();
        StaleReservationException refusal = catchThrowableOfType(StaleReservationException.class, () -> step.on(done));
        assertThat(refusal).isNotNull();
        assertThat(refusal.gone()).isTrue();
        assertThat(orders().totalSize()).isZero();
    }

    @ParameterizedTest
    @EnumSource(SettleStep.class)
    void stepAfterTheMessageWasPoppedElsewhereIsRefusedAsGone(SettleStep step) throws Exception {
        needed(step);
        Reservation<String> stale = expired(orders());
        popped(orders(client()));
        StaleReservationException refusal = catchThrowableOfType(StaleReservationException.class, () -> step.on(stale));
        assertThat(refusal).isNotNull();
        assertThat(refusal.gone()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(SettleStep.class)
    void stepAfterARemovalIsRefusedAsGone(SettleStep step) throws Exception {
        needed(step);
        requires(Capability.REMOVE);
        Reservation<String> stale = expired(orders());
        assertThat(orders(client()).remove(stale.id())).isEqualTo(RemoveOutcome.REMOVED);
        StaleReservationException refusal = catchThrowableOfType(StaleReservationException.class, () -> step.on(stale));
        assertThat(refusal).isNotNull();
        assertThat(refusal.gone()).isTrue();
        assertThat(queue("elsewhere").totalSize()).isZero();
    }

    @ParameterizedTest
    @EnumSource(SettleStep.class)
    void stepAfterItsOwnReleaseIsRefused(SettleStep step) throws Exception {
        needed(step);
        orders().push("a");
        Reservation<String> given = reserved(orders());
        given.release();
        assertThatThrownBy(() -> step.on(given)).isInstanceOf(StaleReservationException.class);
        assertThat(orders().counts().ready()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(SettleStep.class)
    void writtenDownReceiptWorksFromAnotherClient(SettleStep step) throws Exception {
        needed(step);
        orders().push("a");
        Reservation<String> held = reserved(orders());
        MessageQueue<String> remote = orders(client());
        Lease lease = remote.lease(held.receipt());
        assertThat(lease.id()).isEqualTo(held.id());
        step.on(lease);
        if (step == SettleStep.EXTEND) {
            lease.ack();
        }
        assertThat(remote.counts().reserved()).isZero();
        assertThatThrownBy(held::ack).isInstanceOf(StaleReservationException.class);
    }

    @ParameterizedTest
    @EnumSource(SettleStep.class)
    void writtenDownReceiptIsFencedToo(SettleStep step) throws Exception {
        needed(step);
        Reservation<String> stale = expired(orders());
        MessageQueue<String> remote = orders(client());
        Reservation<String> current = reserved(remote);
        assertThatThrownBy(() -> step.on(remote.lease(stale.receipt()))).isInstanceOf(StaleReservationException.class);
        current.ack();
    }

    /** The settling process has read the queue before the message was claimed, as a consumer has. */
    @Test
    void writtenDownReceiptWorksWhereTheQueueWasSeenBefore() throws Exception {
        MessageQueue<String> remote = orders(client());
        orders().pushAll(List.of("a", "b", "c"));
        Reservation<String> theirs = reserved(remote);
        List<Reservation<String>> ours = orders().reserve(2, Duration.ZERO);
        remote.lease(ours.get(0).receipt()).extend(seconds(100));
        remote.lease(ours.get(0).receipt()).ack();
        remote.lease(ours.get(1).receipt()).release();
        theirs.ack();
        assertThat(popped(orders()).payload()).isEqualTo("c");
        assertThat(orders().totalSize()).isZero();
    }

    @Test
    void writtenDownReceiptKnowsTheDeliveriesBefore() throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("a");
        reserved(queue).retry(Duration.ZERO);
        reserved(queue).retry(Duration.ZERO);
        Reservation<String> held = reserved(queue);
        assertThat(queue.get(held.id()).orElseThrow().tries())
                .as("the present delivery does not count as an earlier one")
                .isEqualTo(2);
        orders(client()).lease(held.receipt()).reject("broken");
        Message<EncodedPayload> letter = jono().deadLetters().pop(Duration.ZERO).orElseThrow();
        assertThat(letter.headers().get(Headers.DL_TRIES)).isEqualTo(2L);
    }

    @Test
    void receiptsSurviveAnExtend() throws Exception {
        orders().push("a");
        Reservation<String> held = reserved(orders());
        String before = held.receipt();
        held.extend(seconds(100));
        orders(client()).lease(before).extend(seconds(200));
        orders(client()).lease(before).ack();
        assertThat(orders().totalSize()).isZero();
    }

    @Test
    void ackOfManyTellsWhichWereRefused() throws Exception {
        Reservation<String> stale = expired(orders());
        Reservation<String> current = reserved(orders(client()));
        orders().push("b");
        Reservation<String> good = reserved(orders());
        PartialFailureException failure =
                catchThrowableOfType(PartialFailureException.class, () -> orders().ackAll(List.of(good, stale)));
        assertThat(failure).isNotNull();
        assertThat(failure.results()).hasSize(2);
        assertThat(failure.results().get(0).failure()).isNull();
        assertThat(failure.results().get(1).failure()).isInstanceOf(StaleReservationException.class);
        assertThat(failure.results().get(1).id()).isEqualTo(stale.id());
        current.ack();
        assertThat(orders().totalSize()).isZero();
    }
}
