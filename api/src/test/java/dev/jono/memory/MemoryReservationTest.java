package dev.jono.memory;

import static dev.jono.memory.TestQueue.claiming;
import static dev.jono.memory.TestQueue.receipt;
import static dev.jono.memory.TestQueue.texts;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.Due;
import dev.jono.spi.HandClock;
import dev.jono.spi.NewMessage;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.spi.StoredMessage.State;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryReservationTest {
    private final HandClock clock = new HandClock();
    private final TestQueue queue = TestQueue.of(TestQueue.open("memory:", clock), "q");

    private void expire() {
        clock.advance(ofMillis(TestQueue.LEASE_MILLIS));
    }

    @Test
    void leasesToOneHolderAndCountsTheDelivery() {
        queue.push("a");
        StoredMessage first = queue.claimOne();
        assertThat(first.tries()).isZero();
        assertThat(first.expired()).isFalse();
        assertThat(first.state()).isEqualTo(State.RESERVED);
        assertThat(first.leaseEndMillis()).isEqualTo(clock.wallMillis() + TestQueue.LEASE_MILLIS);
        clock.advance(ofMillis(TestQueue.LEASE_MILLIS - 1));
        assertThat(queue.claim(1)).isEmpty();
        assertThat(queue.take(1).messages()).isEmpty();
        clock.advance(ofMillis(1));
        StoredMessage second = queue.claimOne();
        assertThat(second.tries()).isEqualTo(1);
        assertThat(second.expired()).isTrue();
        assertThat(second.id()).isEqualTo(first.id());
        assertThat(receipt(second)).isNotEqualTo(receipt(first));
        assertThat(queue.ack(second)).isEqualTo(Outcome.DONE);
        assertThat(queue.ack(second)).isEqualTo(Outcome.GONE);
    }

    @Test
    void fencesAHolderAfterAnotherClaim() {
        queue.push("a");
        StoredMessage old = queue.claimOne();
        expire();
        StoredMessage current = queue.claimOne();
        assertThat(queue.ack(old)).isEqualTo(Outcome.STALE);
        assertThat(queue.release(old, null, true)).isEqualTo(Outcome.STALE);
        assertThat(queue.extend(old, 1)).isEqualTo(Outcome.STALE);
        assertThat(queue.move(old, "elsewhere")).isEqualTo(Outcome.STALE);
        assertThat(queue.numbers()).containsExactly(0L, 0L, 1L, 0L);
        assertThat(queue.ack(current)).isEqualTo(Outcome.DONE);
    }

    @Test
    void theHolderCanSettleAfterTheLeaseUntilAnotherClaim() {
        queue.push("a", "b", "c", "d");
        List<StoredMessage> held = queue.claim(4);
        expire();
        assertThat(queue.ack(held.get(0))).isEqualTo(Outcome.DONE);
        assertThat(queue.extend(held.get(1), 500)).isEqualTo(Outcome.DONE);
        assertThat(queue.release(held.get(2), null, true)).isEqualTo(Outcome.DONE);
        assertThat(queue.move(held.get(3), "elsewhere")).isEqualTo(Outcome.DONE);
        StoredMessage released = queue.claimOne();
        assertThat(texts(List.of(released))).containsExactly("c");
        assertThat(released.expired()).as("it was settled").isFalse();
        assertThat(queue.claim(1)).isEmpty();
        assertThat(queue.ack(held.get(1))).isEqualTo(Outcome.DONE);
    }

    @Test
    void isGoneAfterATakeOrARemoval() {
        List<String> ids = queue.push("a", "b");
        List<StoredMessage> held = queue.claim(2);
        expire();
        assertThat(queue.take(1).messages()).hasSize(1);
        queue.remove(ids.get(1));
        assertThat(queue.ack(held.get(0))).isEqualTo(Outcome.GONE);
        assertThat(queue.extend(held.get(1), 1)).isEqualTo(Outcome.GONE);
    }

    @Test
    void extendsFromTheStorageTimeUnderTheSameReceipt() {
        queue.push("a");
        StoredMessage held = queue.claimOne();
        clock.advance(ofMillis(10));
        assertThat(queue.extend(held, 100)).isEqualTo(Outcome.DONE);
        clock.advance(ofMillis(99));
        assertThat(queue.claim(1)).isEmpty();
        assertThat(queue.extend(held, 100)).isEqualTo(Outcome.DONE);
        clock.advance(ofMillis(100));
        assertThat(queue.claimOne().tries()).isEqualTo(1);
    }

    @Test
    void releasesInPlaceOrAtAnotherTime() {
        queue.push("a", "b", "c");
        List<StoredMessage> held = queue.claim(2);
        assertThat(queue.release(held.get(1), null, false)).isEqualTo(Outcome.DONE);
        assertThat(queue.release(held.get(0), Due.in(100), true)).isEqualTo(Outcome.DONE);
        assertThat(queue.contents()).containsExactly("b", "c", "a");
        assertThat(queue.ack(held.get(1))).as("it is settled").isEqualTo(Outcome.STALE);
        assertThat(queue.claimOne().tries()).as("uncounted").isZero();
        clock.advance(ofMillis(100));
        assertThat(queue.claim(2)).extracting(StoredMessage::tries).containsExactly(0, 1);
    }

    @Test
    void expiredMessagesKeepTheirPosition() {
        queue.push("a", "b", "c");
        queue.claim(2);
        expire();
        queue.push("d");
        assertThat(texts(queue.claim(9))).containsExactly("a", "b", "c", "d");
    }

    @Test
    void isolatesMessagesWithManyTries() {
        queue.push("a");
        queue.insert(NewMessage.builder()
                .payload(TestQueue.payload("suspect"))
                .tries(5)
                .build());
        queue.push("b");
        ClaimResult before = queue.claim(claiming(10).isolateTries(5));
        assertThat(texts(before.messages())).containsExactly("a");
        assertThat(before.nextMillis()).isZero();
        ClaimResult alone = queue.claim(claiming(10).isolateTries(5));
        assertThat(texts(alone.messages())).containsExactly("suspect");
        assertThat(alone.messages().get(0).isolated()).isTrue();
        assertThat(alone.nextMillis()).isZero();
        ClaimResult next = queue.claim(claiming(10).isolateTries(5));
        assertThat(texts(next.messages())).containsExactly("b");
        assertThat(next.messages().get(0).isolated()).isFalse();
    }

    @Test
    void isolatesMessagesWhoseLeaseEnded() {
        queue.push("a", "b");
        StoredMessage retried = queue.claimOne();
        queue.release(retried, null, true);
        queue.claim(2);
        expire();
        ClaimRequest.Builder first = claiming(10).isolateExpiredTries(2);
        assertThat(texts(queue.claim(first).messages())).as("two tries").containsExactly("a");
        ClaimRequest.Builder second = claiming(10).isolateExpiredTries(1);
        assertThat(texts(queue.claim(second).messages())).containsExactly("b");
    }

    @Test
    void aRestoredMessageStaysMarkedAsExpired() {
        queue.push("a");
        queue.claim(1);
        expire();
        queue.restore(queue.take(1).messages().get(0));
        StoredMessage again = queue.claimOne();
        assertThat(again.expired()).isTrue();
        assertThat(again.tries()).isEqualTo(1);
    }

    @Test
    void takesIgnoreIsolation() {
        queue.push("a", "b");
        queue.claim(2);
        expire();
        ClaimRequest request =
                claiming(10).isolateExpiredTries(0).isolateTries(0).build();
        assertThat(TestQueue.get(queue.store.take(request)).messages())
                .hasSize(2)
                .allSatisfy(m -> {
                    assertThat(m.receipt()).isNull();
                    assertThat(m.tries()).isEqualTo(1);
                });
    }
}
