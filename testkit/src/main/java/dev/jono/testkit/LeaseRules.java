package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.MessageQueue;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.ReserveOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A message whose lease ends returns to the queue. Until another consumer claims it, its holder may still settle or
 * extend.
 */
abstract class LeaseRules extends ContractCase {
    LeaseRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsReserve() {
        requires(Capability.RESERVE);
    }

    private Reservation<String> leased(MessageQueue<String> queue, Duration lease) throws InterruptedException {
        List<Reservation<String>> found = queue.reserve(1, Duration.ZERO, ReserveOptions.lease(lease));
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    @Test
    void expiredReservationReturnsToTheQueue() throws Exception {
        MessageQueue<String> remote = orders(client());
        String id = orders().push("a").id();
        leased(orders(), seconds(4));
        pass(seconds(2));
        assertThat(remote.reserve(Duration.ZERO))
                .as("half of the lease is over")
                .isEmpty();
        pass(seconds(3));
        Reservation<String> again = reserved(remote);
        assertThat(again.id()).isEqualTo(id);
        again.ack();
    }

    @Test
    void waitingConsumerGetsWhatExpiresElsewhereWithoutPolling() throws Exception {
        MessageQueue<String> remote = orders(client());
        orders().push("a");
        leased(orders(), seconds(6));
        CompletableFuture<Optional<Reservation<String>>> waiting = track(remote.reserveAsync(seconds(600)));
        Optional<Reservation<String>> found = passUntilDone("the lease to end", seconds(60), waiting);
        assertThat(found).isPresent();
        found.get().ack();
    }

    @ParameterizedTest
    @EnumSource(SettleStep.class)
    void holderMayStillSettleAfterTheEndUntilAnotherClaims(SettleStep step) throws Exception {
        if (step == SettleStep.MOVE_TO) {
            requires(Capability.MOVE);
        }
        MessageQueue<String> queue = orders();
        queue.push("a");
        Reservation<String> late = leased(queue, seconds(2));
        pass(seconds(3));
        step.on(late);
        if (step == SettleStep.EXTEND) {
            assertThat(orders(client()).reserve(Duration.ZERO)).isEmpty();
            late.ack();
        }
    }

    @Test
    void extendSetsTheEndToStorageTimePlusTheDuration() throws Exception {
        MessageQueue<String> remote = orders(client());
        orders().push("a");
        Reservation<String> held = leased(orders(), seconds(10));
        pass(seconds(6));
        held.extend(seconds(20));
        pass(seconds(7));
        assertThat(remote.reserve(Duration.ZERO))
                .as("after the first end, before the new one")
                .isEmpty();
        pass(seconds(14));
        reserved(remote).ack();
    }

    @Test
    void extendMayShorten() throws Exception {
        MessageQueue<String> remote = orders(client());
        orders().push("a");
        Reservation<String> held = leased(orders(), seconds(100));
        held.extend(seconds(2));
        pass(seconds(3));
        reserved(remote).ack();
    }

    @Test
    void leaseEndIsStorageTimePlusTheLeaseAndMovesWithExtend() throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("a");
        Reservation<String> held = leased(queue, seconds(10));
        Instant end = held.leaseEnd();
        Instant stored = held.pushedAt().orElse(held.dueAt());
        assertThat(end).isAfterOrEqualTo(stored.plus(seconds(10)));
        assertThat(end).isBefore(stored.plus(seconds(10)).plusSeconds(10));
        pass(seconds(3));
        held.extend(seconds(10));
        assertThat(held.leaseEnd()).isAfterOrEqualTo(end.plus(seconds(2)));
        held.ack();
    }

    @Test
    void queueOptionsSetTheLease() throws Exception {
        MessageQueue<String> brief =
                orders(jono(), QueueOptions.builder().lease(seconds(3)).build());
        brief.push("a");
        reserved(brief);
        pass(seconds(4));
        reserved(orders(client())).ack();
    }

    @Test
    void batchOfReservationsExpiresMessageByMessage() throws Exception {
        MessageQueue<String> queue = orders();
        queue.pushAll(List.of("a", "b", "c"));
        List<Reservation<String>> batch = queue.reserve(3, Duration.ZERO, ReserveOptions.lease(seconds(4)));
        batch.get(1).ack();
        batch.get(2).extend(seconds(100));
        pass(seconds(5));
        MessageQueue<String> remote = orders(client());
        Reservation<String> returned = reserved(remote);
        assertThat(returned.payload()).isEqualTo("a");
        assertThat(remote.reserve(Duration.ZERO)).isEmpty();
        returned.ack();
        batch.get(2).ack();
    }

    @Test
    void nothingIsHandedOutWhoseLeaseMayHaveEnded() throws Exception {
        Faults faults = new Faults();
        MessageQueue<String> queue =
                orders(client(faults), QueueOptions.builder().lease(seconds(4)).build());
        queue.push("a");
        faults.hold(Call.CLAIM);
        CompletableFuture<Optional<Reservation<String>>> slow = track(queue.reserveAsync(seconds(100)));
        awaitReal("the reply to be held", () -> faults.held(Call.CLAIM) > 0);
        pass(seconds(5));
        faults.release(Call.CLAIM);
        Optional<Reservation<String>> found = passUntilDone("a new claim", seconds(30), slow);
        assertThat(found).isPresent();
        assertThat(faults.calls(Call.CLAIM))
                .as("claims: the late one and a new one")
                .isGreaterThan(1);
        assertThat(found.get().tries())
                .as("a claim that was never handed out does not count")
                .isZero();
        found.get().ack();
    }

    @Test
    void closingAReservationGivesItBack() throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("a");
        try (Reservation<String> held = reserved(queue)) {
            assertThat(held.isSettled()).isFalse();
        }
        try (Reservation<String> again = reserved(queue)) {
            assertThat(again.tries()).isEqualTo(1);
            again.ack();
            assertThat(again.isSettled()).isTrue();
        }
        assertThat(queue.totalSize()).isZero();
    }
}
