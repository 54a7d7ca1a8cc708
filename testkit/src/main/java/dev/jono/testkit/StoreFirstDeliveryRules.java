package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.EditOutcome;
import dev.jono.PushOptions;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.Due;
import dev.jono.spi.MoveIdleRequest;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.RescheduleRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whether a claim tells that nobody has held a message before. It may say so only if that is certain. A backend that never says it
 * declares that.
 */
abstract class StoreFirstDeliveryRules extends StoreCase {
    StoreFirstDeliveryRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsReserve() {
        requires(Capability.RESERVE);
    }

    private void assertFirst(StoredMessage claimed) {
        assertThat(claimed.firstDelivery())
                .as("first delivery")
                .isEqualTo(backend().traits().tellsFirstDelivery());
    }

    private static void assertNotFirst(StoredMessage claimed) {
        assertThat(claimed.firstDelivery()).as("first delivery").isFalse();
    }

    private StoredMessage claimFirst(QueueStore store) {
        StoredMessage claimed = claimOne(store);
        assertFirst(claimed);
        return claimed;
    }

    private static void giveBack(QueueStore store, StoredMessage claimed) {
        assertThat(release(store, receipt(claimed), null, false)).containsExactly(Outcome.DONE);
    }

    @Test
    void messagesThatNobodyHasHeldAreDeliveredForTheFirstTime() {
        insert(store(), "a", "b", "c");
        claim(store(), 2).forEach(this::assertFirst);
        claimFirst(store());
    }

    @Test
    void messageThatBeginsWithTriesWasDelivered() {
        got(store().insert(inserting(message("a").tries(1).build())));
        assertNotFirst(claimOne(store()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void messageThatWasGivenBackWasDelivered(boolean counted) {
        insert(store(), "a");
        StoredMessage first = claimFirst(store());
        assertThat(release(store(), receipt(first), null, counted)).containsExactly(Outcome.DONE);
        StoredMessage second = claimOne(store());
        assertNotFirst(second);
        assertThat(release(store(), receipt(second), Due.now(), counted)).containsExactly(Outcome.DONE);
        assertNotFirst(claimOne(store()));
    }

    @Test
    void messageWhoseLeaseHasEndedWasDelivered() {
        insert(store(), "a");
        claim(store(), 1, seconds(2));
        storage()
                .passUntil(
                        "the lease to end", seconds(30), () -> counts(store()).ready() == 1);
        assertNotFirst(claimOne(store()));
    }

    @Test
    void amongOthersEachMessageIsToldApart() {
        insert(store(), "a", "b");
        giveBack(store(), claimOne(store()));
        List<StoredMessage> both = claim(store(), 2);
        assertThat(texts(both)).containsExactly("a", "b");
        assertNotFirst(both.get(0));
        assertFirst(both.get(1));
    }

    @Test
    void messageThatWasGivenBackAndRescheduledWasDelivered() {
        requires(Capability.EDIT);
        String id = insert(store(), "a").get(0);
        giveBack(store(), claimOne(store()));
        reschedule(store(), id);
        assertNotFirst(claimOne(store()));
    }

    private static void reschedule(QueueStore store, String id) {
        RescheduleRequest request = RescheduleRequest.builder()
                .ids(List.of(id))
                .due(Due.now())
                .token(token())
                .build();
        assertThat(got(store.reschedule(request)).outcomes()).containsExactly(EditOutcome.DONE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void messageThatWasMovedIdleCountsAsDelivered(boolean keeps) {
        requires(Capability.EDIT, Capability.ATOMIC_MOVE);
        String id = insert(store(), "a").get(0);
        giveBack(store(), claimOne(store()));
        moveIdle(store(), id, "target", keeps);
        giveBack(store("target"), claimOne(store("target")));
        moveIdle(store("target"), id, "orders", keeps);
        assertNotFirst(claimOne(store()));
    }

    /** It may have been delivered where it comes from. */
    @Test
    void messageThatWasMovedCountsAsDelivered() {
        requires(Capability.MOVE, Capability.ATOMIC_MOVE);
        insert(store(), "a");
        MoveRequest away = moving(moveTo(receipt(claimFirst(store())), "target"));
        assertThat(got(store().move(away)).outcomes()).containsExactly(Outcome.DONE);
        assertNotFirst(claimOne(store("target")));
    }

    @Test
    void messageWithAGivenIdCountsAsDelivered() {
        String id = insert(store("other"), "a").get(0);
        assertThat(take(store("other"), 1).messages()).hasSize(1);
        got(store().insert(inserting(message("a").id(id).build())));
        assertNotFirst(claimOne(store()));
    }

    @Test
    void restoredMessageCountsAsDelivered() {
        insert(store(), "a");
        giveBack(store(), claimOne(store()));
        got(store().restore(restoring(take(store(), 1).messages())));
        assertNotFirst(claimOne(store()));
    }

    private static void moveIdle(QueueStore from, String id, String target, boolean keeps) {
        MoveIdleRequest request = MoveIdleRequest.builder()
                .ids(List.of(id))
                .toQueue(target)
                .keepsTriesAndDue(keeps)
                .token(token())
                .build();
        assertThat(got(from.moveIdle(request)).outcomes()).containsExactly(EditOutcome.DONE);
    }

    // ---- ordering keys ------------------------------------------------------------------------------------------

    private QueueStore keyed(int maxPerKey) {
        requires(Capability.KEYED);
        return backend()
                .queue(QueueSpec.builder().name("orders").maxPerKey(maxPerKey).build());
    }

    private static void insertKeyed(QueueStore store, String... payloads) {
        for (String payload : payloads) {
            got(store.insert(inserting(message(payload)
                    .headers(PushOptions.none().key("k").headers())
                    .build())));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void messageThatWasBlockedIsDeliveredForTheFirstTime(int maxPerKey) {
        QueueStore store = keyed(maxPerKey);
        insertKeyed(store, "a", "b", "c");
        for (String payload : List.of("a", "b", "c")) {
            StoredMessage claimed = claimFirst(store);
            assertThat(texts(List.of(claimed))).containsExactly(payload);
            assertThat(ack(store, receipt(claimed))).containsExactly(Outcome.DONE);
        }
    }

    @Test
    void messagesThatWereTakenBackWereDelivered() {
        QueueStore store = keyed(1);
        insertKeyed(store, "a", "b", "c");
        ClaimRequest together = claiming(2).maxPerKey(2).build();
        List<StoredMessage> batch = got(store.claim(together)).messages();
        assertThat(texts(batch)).containsExactly("a", "b");
        batch.forEach(this::assertFirst);
        giveBack(store, batch.get(0));
        for (String payload : List.of("a", "b")) {
            StoredMessage again = claimOne(store);
            assertThat(texts(List.of(again))).containsExactly(payload);
            assertNotFirst(again);
            assertThat(ack(store, receipt(again))).containsExactly(Outcome.DONE);
        }
        claimFirst(store);
    }

    @Test
    void keyedMessageThatWasGivenBackAndRescheduledWasDelivered() {
        requires(Capability.EDIT);
        QueueStore store = keyed(1);
        insertKeyed(store, "a");
        StoredMessage claimed = claimOne(store);
        giveBack(store, claimed);
        reschedule(store, claimed.id());
        assertNotFirst(claimOne(store));
    }
}
