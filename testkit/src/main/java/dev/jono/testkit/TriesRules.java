package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.EncodedPayload;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.Reservation;
import dev.jono.ReserveOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** tries() is the number of earlier deliveries under a reservation, expired ones included. */
abstract class TriesRules extends ContractCase {
    TriesRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsReserve() {
        requires(Capability.RESERVE);
    }

    @Test
    void firstDeliveryHasNoTries() throws Exception {
        orders().push("a");
        Reservation<String> first = reserved(orders());
        assertThat(first.tries()).isZero();
        assertThat(first.attempt()).isEqualTo(1);
        first.ack();
    }

    @Test
    void everyRetryCountsOne() throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("a");
        for (int tries = 0; tries < 5; tries++) {
            Reservation<String> delivery = reserved(queue);
            assertThat(delivery.tries()).isEqualTo(tries);
            delivery.retry(Duration.ZERO);
        }
        assertThat(popped(queue).tries()).isEqualTo(5);
    }

    @Test
    void expiredDeliveriesCount() throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("a");
        for (int tries = 0; tries < 3; tries++) {
            Reservation<String> delivery = queue.reserve(1, Duration.ZERO, ReserveOptions.lease(seconds(2)))
                    .get(0);
            assertThat(delivery.tries()).isEqualTo(tries);
            pass(seconds(3));
        }
        Reservation<String> last = reserved(orders(client()));
        assertThat(last.tries()).isEqualTo(3);
        last.retry(Duration.ZERO);
        assertThat(popped(queue).tries()).isEqualTo(4);
    }

    @Test
    void releasedDeliveriesDoNotCount() throws Exception {
        MessageQueue<String> queue = orders();
        queue.push("a");
        reserved(queue).release();
        reserved(queue).release(Duration.ZERO);
        Reservation<String> third = reserved(queue);
        assertThat(third.tries()).isZero();
        assertThat(third.isRedelivered()).isTrue();
        third.ack();
    }

    @Test
    void firstDeliveryIsNoRedelivery() throws Exception {
        requiresFirstDelivery();
        orders().push("a");
        Reservation<String> first = reserved(orders());
        assertThat(first.isRedelivered()).isFalse();
        first.ack();
    }

    @Test
    void deadLetterIsRedeliveredAndSoIsARedrivenMessage() throws Exception {
        orders().push("a");
        reserved(orders()).reject("bad");
        MessageQueue<EncodedPayload> deadLetters = jono().deadLetters();
        Reservation<EncodedPayload> letter = reserved(deadLetters);
        assertThat(letter.isRedelivered()).isTrue();
        letter.release();
        assertThat(deadLetters.redrive()).isEqualTo(1);
        Reservation<String> again = reserved(orders());
        assertThat(again.isRedelivered()).isTrue();
        again.ack();
    }

    @Test
    void pushMayBeginWithTries() throws Exception {
        orders().push("a", PushOptions.none().tries(7));
        Reservation<String> delivery = reserved(orders());
        assertThat(delivery.tries()).isEqualTo(7);
        assertThat(delivery.attempt()).isEqualTo(8);
        delivery.ack();
    }

    @Test
    void whatWasClaimedButNeverHandedOutIsGivenBackUncounted() throws Exception {
        Faults faults = new Faults();
        MessageQueue<String> queue = orders(client(faults));
        queue.pushAll(List.of("a", "b"));
        faults.hold(Call.CLAIM);
        CompletableFuture<List<Reservation<String>>> waiting =
                queue.reserveAsync(2, seconds(100), ReserveOptions.none());
        awaitReal("the claim to be in flight", () -> faults.held(Call.CLAIM) > 0);
        waiting.cancel(true);
        faults.release(Call.CLAIM);
        awaitReal("both to be given back", () -> queue.counts().ready() == 2);
        List<Reservation<String>> again = queue.reserve(2, Duration.ZERO);
        assertThat(again.stream().map(Message::payload)).containsExactly("a", "b");
        assertThat(again).allMatch(r -> r.tries() == 0);
        queue.ackAll(again);
    }

    @Test
    void messageKeepsItsIdOverRedelivery() throws Exception {
        MessageQueue<String> queue = orders();
        String id = queue.push("a").id();
        reserved(queue).retry(Duration.ZERO);
        reserved(queue).release();
        Optional<Message<String>> last = queue.pop(Duration.ZERO);
        assertThat(last.map(Message::id)).contains(id);
    }
}
