package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.Due;
import dev.jono.spi.QueueStore;
import dev.jono.spi.StoredMessage;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims. */
abstract class StoreClaimRules extends StoreCase {
    StoreClaimRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsReserve() {
        requires(Capability.RESERVE);
    }

    @Test
    void claimLeasesToTheCallerAlone() {
        insert(store(), "a", "b");
        assertThat(texts(claim(store(), 1))).containsExactly("a");
        assertThat(texts(claim(store(), 5))).containsExactly("b");
        assertThat(claim(store(), 5)).isEmpty();
        assertThat(take(store(), 5).messages()).as("messages that a take finds").isEmpty();
        assertCounts(store(), 0, 0, 2);
    }

    @Test
    void largestBatchPasses() {
        assertLargestBatchPasses(max -> claim(store(), max));
    }

    @Test
    void claimedMessageCarriesReceiptLeaseAndTries() {
        String id = insert(store(), "a").get(0);
        ClaimResult result = got(
                store().claim(claiming(1).leaseMillis(seconds(10).toMillis()).build()));
        StoredMessage claimed = result.messages().get(0);
        assertThat(claimed.id()).isEqualTo(id);
        assertThat(receipt(claimed).id()).isEqualTo(id);
        assertThat(claimed.tries()).isZero();
        assertThat(claimed.expired()).isFalse();
        assertThat(claimed.leaseEndMillis())
                .isEqualTo(result.storageMillis() + seconds(10).toMillis());
    }

    @Test
    void expiredLeaseMakesAMessageClaimableAndCountsItsDelivery() {
        insert(store(), "a");
        claim(store(), 1, seconds(4));
        assertThat(claim(store(), 1)).as("while the lease holds").isEmpty();
        storage()
                .passUntil(
                        "the lease to end", seconds(30), () -> counts(store()).ready() == 1);
        StoredMessage again = claimOne(store());
        assertThat(again.tries()).isEqualTo(1);
        assertThat(again.expired()).isTrue();
        pass(seconds(11));
        assertThat(claimOne(store()).tries()).isEqualTo(2);
    }

    @Test
    void claimThatFindsNothingTellsWhenTheNextLeaseEnds() {
        insert(store(), "a");
        assertThat(got(store().claim(claiming(5).build())).nextMillis())
                .as("with its own claim of ten seconds")
                .isBetween(1L, mostMillis(10));
        ClaimResult nothing = got(store().claim(claiming(1).build()));
        assertThat(nothing.messages()).isEmpty();
        assertThat(nothing.nextMillis()).isBetween(1L, mostMillis(10));
    }

    @Test
    void expiredMessageKeepsItsPlace() {
        insert(store(), "a", "b");
        claim(store(), 1, seconds(2));
        pass(seconds(3));
        assertThat(texts(claim(store(), 1))).containsExactly("a");
    }

    @Test
    void takeFindsWhatExpired() {
        insert(store(), "a");
        claim(store(), 1, seconds(2));
        pass(seconds(3));
        List<StoredMessage> taken = take(store(), 1).messages();
        assertThat(texts(taken)).containsExactly("a");
        assertThat(taken.get(0).tries()).isEqualTo(1);
    }

    @Test
    void messageWithTheTriesToIsolateIsReturnedAlone() {
        QueueStore store = store();
        got(store.insert(inserting(
                message("a").build(),
                message("b").build(),
                message("tried").tries(3).build(),
                message("c").build())));
        ClaimResult before = got(store.claim(claiming(10).isolateTries(3).build()));
        assertThat(texts(before.messages())).containsExactly("a", "b");
        assertThat(before.nextMillis()).as("more messages are due").isZero();
        ClaimResult alone = got(store.claim(claiming(10).isolateTries(3).build()));
        assertThat(texts(alone.messages())).containsExactly("tried");
        assertThat(alone.messages().get(0).isolated()).isTrue();
        assertThat(texts(got(store.claim(claiming(10).isolateTries(3).build())).messages()))
                .containsExactly("c");
    }

    @Test
    void messageThatCameBackByExpiryIsIsolatedByItsOwnRule() {
        QueueStore store = store();
        got(store.insert(inserting(
                message("expired").tries(1).build(),
                message("tried").tries(5).build(),
                message("fresh").build())));
        claim(store, 1, seconds(2));
        pass(seconds(3));
        List<StoredMessage> first =
                got(store.claim(claiming(10).isolateExpiredTries(2).build())).messages();
        assertThat(texts(first)).containsExactly("expired");
        assertThat(first.get(0).isolated()).isTrue();
        assertThat(texts(got(store.claim(claiming(10).isolateExpiredTries(2).build()))
                        .messages()))
                .as("tries without an expired lease do not isolate")
                .containsExactly("tried", "fresh");
    }

    @Test
    void fewerTriesThanTheRuleSaysStayInCompany() {
        insert(store(), "a", "b", "c");
        claim(store(), 3, seconds(2));
        pass(seconds(3));
        assertThat(texts(got(store().claim(claiming(10)
                                .isolateTries(2)
                                .isolateExpiredTries(2)
                                .build()))
                        .messages()))
                .containsExactly("a", "b", "c");
    }

    @Test
    void claimsOfSeveralHandlesNeverOverlap() {
        insert(store(), "a", "b", "c", "d");
        List<StoredMessage> first = claim(store("orders"), 2);
        List<StoredMessage> second = claim(store("orders"), 2);
        assertThat(texts(first)).containsExactly("a", "b");
        assertThat(texts(second)).containsExactly("c", "d");
    }

    @Test
    void nothingIsClaimedBeforeItIsDue() {
        requires(Capability.SCHEDULE);
        insertDue(store(), "much later", Due.in(seconds(1_000).toMillis()));
        assertThat(claim(store(), 1)).isEmpty();
        insertDue(store(), "later", Due.in(seconds(2).toMillis()));
        storage()
                .passUntil(
                        "the message to be due",
                        seconds(30),
                        () -> counts(store()).ready() == 1);
        ClaimResult due = got(store().claim(claiming(2).build()));
        assertThat(texts(due.messages())).containsExactly("later");
        assertThat(due.messages().get(0).dueMillis()).isLessThanOrEqualTo(due.storageMillis());
    }
}
