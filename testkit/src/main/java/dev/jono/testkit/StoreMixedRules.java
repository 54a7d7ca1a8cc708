package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.spi.Backend;
import dev.jono.spi.Due;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.Receipt;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Settling lists of reservations some of which another process has claimed, given back or consumed. Each item has its
 * own outcome, and the outcome is what really happened.
 */
abstract class StoreMixedRules extends StoreSettleCase {
    StoreMixedRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    private static QueueStore orders(Backend backend) {
        return backend.queue(QueueSpec.builder().name("orders").build());
    }

    /** Claims this many messages, with leases that end at the same time. */
    private List<StoredMessage> claimAndExpire(int number) {
        List<StoredMessage> all = new ArrayList<>();
        while (all.size() < number) {
            List<StoredMessage> some = claim(store(), number - all.size(), seconds(1_000));
            assertThat(some).as("messages to claim").isNotEmpty();
            all.addAll(some);
        }
        Receipt[] receipts = all.stream().map(StoreCase::receipt).toArray(Receipt[]::new);
        assertThat(got(store().extend(extending(seconds(1), receipts))).outcomes())
                .containsOnly(Outcome.DONE);
        pass(seconds(2));
        return all;
    }

    /** Claims one message with a lease that outlasts the test. */
    private StoredMessage claimForLong(QueueStore store) {
        List<StoredMessage> found = claim(store, 1, seconds(1_000));
        assertThat(found).as("a message to claim").hasSize(1);
        return found.get(0);
    }

    /** Pushes messages one by one, so that no two are in one bucket. */
    @ParameterizedTest
    @EnumSource(Way.class)
    void listOfWhichOneIsLostEndsTheOther(Way way) {
        needed(way);
        insert(store(), "lost");
        insert(store(), "kept");
        List<StoredMessage> claimed = claimAndExpire(2);
        try (Backend other = storage().openBackend()) {
            StoredMessage taken = claimForLong(orders(other));
            assertThat(taken.payload().text()).isEqualTo("lost");
            assertThat(settleAll(way, store(), receipt(claimed.get(0)), receipt(claimed.get(1))))
                    .containsExactly(Outcome.STALE, Outcome.DONE);
            assertSettled(way, 1, 1, 0);
            assertThat(ack(orders(other), receipt(taken))).containsExactly(Outcome.DONE);
        }
        assertSettled(way, 1, 0, 0);
    }

    /** Messages that were pushed together and alone. Each lost one is lost in another way. */
    @ParameterizedTest
    @EnumSource(Way.class)
    void eachItemOfAListIsToldWhatBecameOfIt(Way way) {
        needed(way);
        insert(store(), "a", "b", "c");
        insert(store(), "d");
        insert(store(), "e", "f");
        insert(store(), "g");
        List<StoredMessage> claimed = claimAndExpire(7);
        List<Outcome> expected = new ArrayList<>();
        try (Backend other = storage().openBackend()) {
            QueueStore theirs = orders(other);
            List<StoredMessage> lost =
                    List.of(claimForLong(theirs), claimForLong(theirs), claimForLong(theirs), claimForLong(theirs));
            assertThat(ack(theirs, receipt(lost.get(0)), receipt(lost.get(3))))
                    .containsExactly(Outcome.DONE, Outcome.DONE);
            release(theirs, receipt(lost.get(1)), Due.now(), false);
            List<String> consumed = List.of(lost.get(0).id(), lost.get(3).id());
            List<String> heldByOther = List.of(lost.get(1).id(), lost.get(2).id());
            claimed.forEach(message -> expected.add(
                    consumed.contains(message.id())
                            ? Outcome.GONE
                            : heldByOther.contains(message.id()) ? Outcome.STALE : Outcome.DONE));
            assertThat(settleAll(
                            way, store(), claimed.stream().map(m -> receipt(m)).toArray(Receipt[]::new)))
                    .isEqualTo(expected);
            assertSettled(way, 3, 1, 1);
            assertThat(ack(theirs, receipt(lost.get(2)))).containsExactly(Outcome.DONE);
        }
        assertSettled(way, 3, 0, 1);
    }

    /** The leases of both are live: neither prevents the other. */
    @ParameterizedTest
    @EnumSource(Way.class)
    void whatTwoProcessesHoldSideBySideIsSettledByEach(Way way) {
        needed(way);
        for (int i = 0; i < 4; i++) {
            insert(store(), "a" + i, "b" + i);
        }
        try (Backend other = storage().openBackend()) {
            List<Receipt> mine = new ArrayList<>();
            List<Receipt> theirs = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                mine.add(receipt(claimForLong(store())));
                theirs.add(receipt(claimForLong(orders(other))));
            }
            assertThat(settleAll(way, store(), mine.toArray(Receipt[]::new))).containsOnly(Outcome.DONE);
            assertThat(settleAll(way, orders(other), theirs.toArray(Receipt[]::new)))
                    .containsOnly(Outcome.DONE);
        }
        assertSettled(way, 8, 0, 0);
    }

    /** Checks which messages were settled, how many others hold, and how many are ready. */
    private void assertSettled(Way way, int done, int others, int ready) {
        switch (way) {
            case ACK -> assertCounts(store(), ready, 0, others);
            case RETRY, RELEASE -> assertCounts(store(), ready + done, 0, others);
            case EXTEND -> assertCounts(store(), ready, 0, others + done);
            case MOVE -> {
                assertCounts(store(), ready, 0, others);
                assertCounts(store("target"), done, 0, 0);
            }
        }
    }

    @Test
    void messagesAreConsumedOnceHoweverLateTheirAcksCome() {
        new CompetingAcks(storage(), this::seconds).run();
    }
}
