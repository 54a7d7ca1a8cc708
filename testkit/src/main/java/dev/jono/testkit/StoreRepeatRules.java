package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.Due;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls that are repeated with their token after a lost reply take effect once. */
abstract class StoreRepeatRules extends StoreCase {
    StoreRepeatRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsRepeatable() {
        requiresRepeatable();
    }

    @Test
    void repeatedInsertIsStoredOnce() {
        InsertRequest request = inserting(message("a").build(), message("b").build());
        List<String> first = ids(got(store().insert(request)));
        List<String> second = ids(got(store().insert(request)));
        assertThat(second).isEqualTo(first);
        assertCounts(store(), 2, 0, 0);
    }

    @Test
    void repeatedInsertIsStoredOnceEvenIfTheFirstCopyIsConsumed() {
        InsertRequest request = inserting(message("a").build());
        List<String> first = ids(got(store().insert(request)));
        assertThat(take(store(), 5).messages()).hasSize(1);
        assertThat(ids(got(store().insert(request)))).isEqualTo(first);
        assertCounts(store(), 0, 0, 0);
    }

    @Test
    void repeatedInsertIsStoredOnceEvenIfTheFirstCopyIsAcked() {
        requires(Capability.RESERVE);
        InsertRequest request = inserting(message("a").build());
        got(store().insert(request));
        ack(store(), receipt(claimOne(store())));
        got(store().insert(request));
        assertCounts(store(), 0, 0, 0);
    }

    @Test
    void repeatedTakeFindsWhatItTook() {
        insert(store(), "a", "b", "c");
        ClaimRequest request = ClaimRequest.builder().max(2).token(token()).build();
        List<StoredMessage> first = got(store().take(request)).messages();
        List<StoredMessage> second = got(store().take(request)).messages();
        assertThat(texts(first)).containsExactly("a", "b");
        assertThat(texts(second)).containsExactly("a", "b");
        assertThat(second.stream().map(StoredMessage::id))
                .containsExactlyElementsOf(first.stream().map(StoredMessage::id).toList());
        assertCounts(store(), 1, 0, 0);
    }

    @Test
    void repeatedClaimFindsWhatItClaimed() {
        requires(Capability.RESERVE);
        insert(store(), "a", "b", "c");
        ClaimRequest request = claiming(2).build();
        List<StoredMessage> first = got(store().claim(request)).messages();
        List<StoredMessage> second = got(store().claim(request)).messages();
        assertThat(texts(first)).containsExactly("a", "b");
        assertThat(texts(second)).containsExactly("a", "b");
        assertThat(second).allMatch(m -> m.tries() == 0);
        assertCounts(store(), 1, 0, 2);
        assertThat(ack(store(), receipt(second.get(0)), receipt(second.get(1))))
                .containsExactly(Outcome.DONE, Outcome.DONE);
    }

    @Test
    void repeatedClaimCountsOneDelivery() {
        requires(Capability.RESERVE);
        insert(store(), "a");
        ClaimRequest request = claiming(1).leaseMillis(seconds(2).toMillis()).build();
        got(store().claim(request));
        got(store().claim(request));
        pass(seconds(4));
        assertThat(claimOne(store()).tries()).isEqualTo(1);
    }

    @Test
    void repeatedClaimDoesNotHandOutWhatItsHolderSettled() {
        requires(Capability.RESERVE);
        insert(store(), "a");
        ClaimRequest request = claiming(1).build();
        ClaimResult first = got(store().claim(request));
        ack(store(), receipt(first.messages().get(0)));
        ClaimResult again = got(store().claim(request));
        again.messages().forEach(m -> assertThat(ack(store(), receipt(m))).containsExactly(Outcome.GONE));
        assertCounts(store(), 0, 0, 0);
    }

    @Test
    void repeatedAckIsDone() {
        requires(Capability.RESERVE);
        insert(store(), "a");
        SettleRequest request = acking(receipt(claimOne(store())));
        assertThat(got(store().ack(request)).outcomes()).containsExactly(Outcome.DONE);
        // On a repeated ack the engine treats GONE as done.
        assertThat(got(store().ack(request)).outcomes()).doesNotContain(Outcome.STALE);
        assertCounts(store(), 0, 0, 0);
    }

    @Test
    void repeatedRetryCountsOnce() {
        requires(Capability.RESERVE);
        insert(store(), "a");
        ReleaseRequest request = releasing(ReleaseRequest.Item.of(receipt(claimOne(store())), Due.now(), true));
        assertThat(got(store().release(request)).outcomes()).containsExactly(Outcome.DONE);
        assertThat(got(store().release(request)).outcomes()).containsExactly(Outcome.DONE);
        assertThat(claimOne(store()).tries()).isEqualTo(1);
    }

    @Test
    void repeatedRetryLeavesTheNextHolderAlone() {
        requires(Capability.RESERVE);
        insert(store(), "a");
        ReleaseRequest request = releasing(ReleaseRequest.Item.of(receipt(claimOne(store())), Due.now(), true));
        got(store().release(request));
        StoredMessage next = claimOne(store());
        got(store().release(request));
        assertThat(ack(store(), receipt(next))).containsExactly(Outcome.DONE);
    }

    @Test
    void repeatedExtendIsDone() {
        requires(Capability.RESERVE);
        insert(store(), "a");
        ExtendRequest request = extending(seconds(20), receipt(claimOne(store())));
        assertThat(got(store().extend(request)).outcomes()).containsExactly(Outcome.DONE);
        assertThat(got(store().extend(request)).outcomes()).containsExactly(Outcome.DONE);
    }

    @Test
    void repeatedMoveStoresOneCopy() {
        requires(Capability.RESERVE, Capability.MOVE, Capability.ATOMIC_MOVE);
        insert(store(), "a");
        MoveRequest request = moving(moveTo(receipt(claimOne(store())), "target"));
        assertThat(got(store().move(request)).outcomes()).containsExactly(Outcome.DONE);
        assertThat(got(store().move(request)).outcomes()).doesNotContain(Outcome.STALE);
        assertCounts(store(), 0, 0, 0);
        assertCounts(store("target"), 1, 0, 0);
    }

    @Test
    void repeatedMoveStoresOneCopyEvenIfTheFirstIsConsumed() {
        requires(Capability.RESERVE, Capability.MOVE, Capability.ATOMIC_MOVE);
        insert(store(), "a");
        MoveRequest request = moving(moveTo(receipt(claimOne(store())), "target"));
        got(store().move(request));
        assertThat(take(store("target"), 1).messages()).hasSize(1);
        got(store().move(request));
        assertCounts(store("target"), 0, 0, 0);
    }

    @Test
    void repeatedRestorePutsBackOnce() {
        insert(store(), "a");
        RestoreRequest request = restoring(take(store(), 1).messages());
        got(store().restore(request));
        assertThat(take(store(), 1).messages()).hasSize(1);
        got(store().restore(request));
        assertCounts(store(), 0, 0, 0);
    }
}
