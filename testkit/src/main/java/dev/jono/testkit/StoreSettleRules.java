package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.Headers;
import dev.jono.RemoveOutcome;
import dev.jono.spi.Due;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.MoveItem;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ack, release, extend, move. */
abstract class StoreSettleRules extends StoreSettleCase {
    StoreSettleRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @Test
    void ackedMessageIsConsumed() {
        insert(store(), "a", "b");
        assertThat(ack(store(), receipt(claimOne(store())))).containsExactly(Outcome.DONE);
        assertCounts(store(), 1, 0, 0);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void staleReceiptIsRefusedAndTheNewHolderUntouched(Way way) {
        needed(way);
        insert(store(), "a");
        Receipt old = receipt(claim(store(), 1, seconds(2)).get(0));
        pass(seconds(3));
        StoredMessage current = claimOne(store());
        assertThat(settle(way, store(), old)).isEqualTo(Outcome.STALE);
        assertCounts(store(), 0, 0, 1);
        assertCounts(store("target"), 0, 0, 0);
        assertThat(ack(store(), receipt(current))).containsExactly(Outcome.DONE);
        assertCounts(store(), 0, 0, 0);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void expiredButUnclaimedReservationMayStillBeSettled(Way way) {
        needed(way);
        insert(store(), "a");
        Receipt receipt = receipt(claim(store(), 1, seconds(2)).get(0));
        pass(seconds(3));
        assertThat(settle(way, store(), receipt)).isEqualTo(Outcome.DONE);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void reservationOfARemovedMessageIsGone(Way way) {
        needed(way);
        requires(Capability.REMOVE);
        String id = insert(store(), "a").get(0);
        Receipt receipt = receipt(claim(store(), 1, seconds(2)).get(0));
        pass(seconds(3));
        RemoveRequest request =
                RemoveRequest.builder().ids(List.of(id)).token(token()).build();
        assertThat(got(store().remove(request)).outcomes()).containsExactly(RemoveOutcome.REMOVED);
        assertThat(settle(way, store(), receipt)).isEqualTo(Outcome.GONE);
        assertCounts(store("target"), 0, 0, 0);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void reservationOfATakenMessageIsGone(Way way) {
        needed(way);
        insert(store(), "a");
        Receipt receipt = receipt(claim(store(), 1, seconds(2)).get(0));
        pass(seconds(3));
        assertThat(take(store(), 1).messages()).hasSize(1);
        assertThat(settle(way, store(), receipt)).isEqualTo(Outcome.GONE);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void reservationThatWasGivenBackIsStale(Way way) {
        needed(way);
        insert(store(), "a");
        Receipt receipt = receipt(claimOne(store()));
        release(store(), receipt, null, false);
        assertThat(settle(way, store(), receipt)).isEqualTo(Outcome.STALE);
        assertCounts(store(), 1, 0, 0);
    }

    @Test
    void itemsOfAListHaveTheirOwnOutcomes() {
        insert(store(), "a", "b", "c");
        List<StoredMessage> claimed = claim(store(), 3);
        ack(store(), receipt(claimed.get(0)));
        release(store(), receipt(claimed.get(1)), null, false);
        assertThat(ack(store(), receipt(claimed.get(0)), receipt(claimed.get(1)), receipt(claimed.get(2))))
                .containsExactly(Outcome.GONE, Outcome.STALE, Outcome.DONE);
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void reservationThatIsNamedTwiceCostsNobodyElse(Way way) {
        needed(way);
        insert(store(), "a", "b");
        List<StoredMessage> claimed = claim(store(), 2);
        Receipt twice = receipt(claimed.get(0));
        List<Outcome> outcomes = settleAll(way, store(), twice, twice, receipt(claimed.get(1)));
        assertThat(outcomes).hasSize(3).doesNotContainNull();
        assertThat(outcomes.get(0)).isEqualTo(Outcome.DONE);
        assertThat(outcomes.get(2)).isEqualTo(Outcome.DONE);
        switch (way) {
            case ACK -> assertCounts(store(), 0, 0, 0);
            case RETRY, RELEASE -> assertCounts(store(), 2, 0, 0);
            case EXTEND -> assertCounts(store(), 0, 0, 2);
            case MOVE -> {
                assertCounts(store(), 0, 0, 0);
                assertCounts(store("target"), 2, 0, 0);
            }
        }
    }

    @Test
    void foreignReceiptIsNeverDone() {
        String id = insert(store(), "a").get(0);
        StoredMessage claimed = claimOne(store());
        assertThat(ack(
                        store(),
                        Receipt.of(id, "0"),
                        Receipt.of("nobody", receipt(claimed).token())))
                .doesNotContain(Outcome.DONE);
        assertCounts(store(), 0, 0, 1);
    }

    /** Each receipt settles only the message whose id it names, however many receipts of a claim are in the list. */
    @Test
    void receiptsOfAClaimSettleNothingButWhatTheyName() {
        insert(store(), "a", "b", "c", "d");
        List<StoredMessage> claimed = claim(store(), 4, seconds(30));
        assertThat(claimed).hasSize(4);
        String token = receipt(claimed.get(3)).token();
        assertThat(ack(
                        store(),
                        receipt(claimed.get(0)),
                        receipt(claimed.get(1)),
                        receipt(claimed.get(2)),
                        Receipt.of("nobody", token)))
                .startsWith(Outcome.DONE, Outcome.DONE, Outcome.DONE)
                .hasSize(4)
                .last()
                .isNotEqualTo(Outcome.DONE);
        assertCounts(store(), 0, 0, 1);
        assertThat(ack(store(), receipt(claimed.get(3)))).containsExactly(Outcome.DONE);
    }

    @Test
    void receiptSurvivesExtendAndItsTextForm() {
        insert(store(), "a");
        Receipt receipt = receipt(claimOne(store()));
        got(store().extend(extending(seconds(30), receipt)));
        assertThat(ack(store(), Receipt.parse(receipt.encoded()))).containsExactly(Outcome.DONE);
    }

    @Test
    void extendCountsFromTheStoragesPresent() {
        insert(store(), "a");
        Receipt receipt = receipt(claim(store(), 1, seconds(10)).get(0));
        pass(seconds(5));
        got(store().extend(extending(seconds(10), receipt)));
        pass(seconds(7));
        assertThat(claim(store(), 1)).as("two seconds after the old end").isEmpty();
        got(store().extend(extending(seconds(1), receipt)));
        pass(seconds(2));
        assertThat(texts(claim(store(), 1))).as("an extend may shorten").containsExactly("a");
    }

    @Test
    void retryCountsAndReleaseDoesNot() {
        insert(store(), "a");
        release(store(), receipt(claimOne(store())), null, false);
        StoredMessage second = claimOne(store());
        assertThat(second.tries()).isZero();
        release(store(), receipt(second), Due.now(), true);
        StoredMessage third = claimOne(store());
        assertThat(third.tries()).isEqualTo(1);
        assertThat(third.expired()).isFalse();
    }

    @Test
    void releaseWithoutADueTimeKeepsThePlace() {
        insert(store(), "a", "b", "c");
        List<StoredMessage> claimed = claim(store(), 2);
        got(store().release(releasing(
                ReleaseRequest.Item.of(receipt(claimed.get(1)), null, false),
                ReleaseRequest.Item.of(receipt(claimed.get(0)), null, false))));
        assertThat(texts(claim(store(), 3))).containsExactly("a", "b", "c");
    }

    @Test
    void releaseDueNowGoesBehindWhatIsDueBefore() {
        insert(store(), "a");
        Receipt receipt = receipt(claimOne(store()));
        pass(seconds(1));
        insert(store(), "b");
        pass(seconds(1));
        release(store(), receipt, Due.now(), true);
        assertThat(texts(claim(store(), 2))).containsExactly("b", "a");
    }

    @Test
    void releaseWithADelayIsScheduled() {
        requires(Capability.SCHEDULE);
        insert(store(), "a");
        release(store(), receipt(claimOne(store())), Due.in(seconds(4).toMillis()), true);
        assertCounts(store(), 0, 1, 0);
        storage()
                .passUntil(
                        "the message to be due",
                        seconds(60),
                        () -> counts(store()).ready() == 1);
        assertThat(claimOne(store()).tries()).isEqualTo(1);
    }

    @Test
    void moveKeepsIdAndPayloadAndSetsTheRest() {
        requires(Capability.MOVE, Capability.ATOMIC_MOVE);
        got(store().insert(inserting(message("a")
                .headers(Headers.empty().with("keep", 1).with("drop", 2))
                .build())));
        StoredMessage claimed = claimOne(store());
        MoveItem item = MoveItem.builder()
                .receipt(receipt(claimed))
                .toQueue("target")
                .tries(4)
                .dropHeaders(Set.of("drop"))
                .addHeaders(Headers.fromStored(java.util.Map.of("x-added", "yes")))
                .build();
        assertThat(got(store().move(moving(item))).outcomes()).containsExactly(Outcome.DONE);
        assertCounts(store(), 0, 0, 0);
        StoredMessage moved = take(store("target"), 1).messages().get(0);
        assertThat(moved.id()).isEqualTo(claimed.id());
        assertThat(moved.payload()).isEqualTo(claimed.payload());
        assertThat(moved.tries()).isEqualTo(4);
        assertThat(moved.headers().asMap()).isEqualTo(java.util.Map.of("keep", 1L, "x-added", "yes"));
    }

    @Test
    void moveMayChangeThePayloadAndStayInItsQueue() {
        requires(Capability.MOVE, Capability.ATOMIC_MOVE);
        insert(store(), "a");
        MoveItem item = MoveItem.builder()
                .receipt(receipt(claimOne(store())))
                .toQueue("orders")
                .payload(text("changed"))
                .build();
        assertThat(got(store().move(moving(item))).outcomes()).containsExactly(Outcome.DONE);
        assertCounts(store(), 1, 0, 0);
        assertThat(texts(take(store(), 5).messages())).containsExactly("changed");
    }

    @Test
    void extendReportsPerReceipt() {
        insert(store(), "a", "b");
        List<StoredMessage> claimed = claim(store(), 2);
        ack(store(), receipt(claimed.get(0)));
        ExtendRequest both = extending(seconds(10), receipt(claimed.get(0)), receipt(claimed.get(1)));
        assertThat(got(store().extend(both)).outcomes()).containsExactly(Outcome.GONE, Outcome.DONE);
    }
}
