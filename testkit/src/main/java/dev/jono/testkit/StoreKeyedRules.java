package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Capability;
import dev.jono.EditOutcome;
import dev.jono.Headers;
import dev.jono.PushOptions;
import dev.jono.RemoveOutcome;
import dev.jono.StorageException;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.Due;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.MoveIdleRequest;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.NewMessage;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.RescheduleRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Stores of queues with ordering keys: what they tell the engine, settings that differ, and repeated calls. */
abstract class StoreKeyedRules extends StoreCase {
    StoreKeyedRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsKeys() {
        requires(Capability.KEYED, Capability.RESERVE);
    }

    private QueueStore keyed(String name, int maxPerKey) {
        return backend()
                .queue(QueueSpec.builder().name(name).maxPerKey(maxPerKey).build());
    }

    private QueueStore keyed() {
        return keyed("orders", 1);
    }

    private static Headers key(String key) {
        return PushOptions.none().key(key).headers();
    }

    /** Messages with the key that their first letter is. */
    private static InsertRequest insertingKeyed(String... payloads) {
        return inserting(Arrays.stream(payloads)
                .map(payload ->
                        message(payload).headers(key(payload.substring(0, 1))).build())
                .toArray(NewMessage[]::new));
    }

    private static List<String> insertKeyed(QueueStore store, String... payloads) {
        return ids(got(store.insert(insertingKeyed(payloads))));
    }

    private List<StoredMessage> claimTogether(QueueStore store, int max) {
        return got(store.claim(claiming(max).maxPerKey(max).build())).messages();
    }

    private static void assertBlocked(QueueStore store, long blocked) {
        assertThat(counts(store).blocked()).as("blocked messages").isEqualTo(blocked);
    }

    // ---- claims and promotions ------------------------------------------------------------------------------

    @Test
    void claimForOneHolderBringsMessagesOfAKeyNextToEachOther() {
        insertKeyed(keyed(), "a1", "b1", "a2", "b2", "a3");
        assertThat(texts(claimTogether(keyed(), 4))).containsExactly("a1", "a2", "a3", "b1");
        assertBlocked(keyed(), 1);
    }

    @Test
    void claimKeepsTheLimitOfTheQueueWhateverItAsksFor() {
        QueueStore store = keyed("orders", 2);
        insertKeyed(store, "a1", "a2", "a3", "a4");
        assertThat(texts(claimTogether(store, 4))).containsExactly("a1", "a2");
        assertThat(claim(store, 4)).isEmpty();
        assertBlocked(store, 2);
    }

    @Test
    void ackTellsThatABlockedMessageCanBeHandedOut() {
        insertKeyed(keyed(), "a1", "a2");
        SettleResult first = got(keyed().ack(acking(receipt(claimOne(keyed())))));
        assertThat(first.promotedMillis()).isPresent();
        assertThat(first.promotedMillis().getAsLong()).isLessThanOrEqualTo(first.storageMillis());
        SettleResult last = got(keyed().ack(acking(receipt(claimOne(keyed())))));
        assertThat(last.promotedMillis()).isEmpty();
    }

    @Test
    void messageThatIsNotDueYetBlocksWhenItIsItsTurn() {
        requires(Capability.SCHEDULE);
        insertKeyed(keyed(), "a1");
        ids(got(keyed().insert(inserting(message("a2")
                .headers(key("a"))
                .due(Due.in(seconds(3).toMillis()))
                .build()))));
        insertKeyed(keyed(), "a3");
        ack(keyed(), receipt(claimOne(keyed())));
        assertThat(claim(keyed(), 2)).isEmpty();
        pass(seconds(4));
        assertThat(texts(claim(keyed(), 2))).containsExactly("a2");
    }

    // ---- settings that differ -------------------------------------------------------------------------------

    @Test
    void queueWithoutMessagesIsMadeKeyed() {
        got(keyed().makeKeyed());
        insertKeyed(store(), "a1", "a2");
        assertThat(texts(claim(keyed(), 2))).containsExactly("a1");
        assertBlocked(keyed(), 1);
        got(keyed().makeKeyed());
        assertBlocked(keyed(), 1);
    }

    @Test
    void queueWithMessagesIsNotMadeKeyed() {
        ids(got(store().insert(inserting(message("x").build()))));
        got(keyed().makeKeyed());
        got(keyed("other", 2).makeKeyed());
        got(keyed("other", 1).makeKeyed());
        assertThat(texts(claim(store(), 1))).containsExactly("x");
        assertThat(claim(keyed("other", 2), 1)).isEmpty();
    }

    @Test
    void storeWithAnotherLimitIsRefused() {
        insertKeyed(keyed(), "a1");
        QueueStore other = keyed("orders", 2);
        assertThatThrownBy(() -> got(other.insert(insertingKeyed("a2"))))
                .isInstanceOf(StorageException.class)
                .hasMessageContainingAll("orders", "keyed(1)", "keyed(2)");
        assertThatThrownBy(() -> claim(other, 1)).isInstanceOf(StorageException.class);
        assertThat(counts(keyed()).ready()).isEqualTo(1);
    }

    @Test
    void storeWithoutKeysDoesAllButTakeAndClaim() {
        requires(Capability.EDIT, Capability.REMOVE, Capability.BROWSE);
        insertKeyed(keyed(), "a1", "a2");
        StoredMessage held = claimOne(keyed());
        QueueStore store = store();
        assertThatThrownBy(() -> claim(store, 1))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("keyed(1)");
        assertThatThrownBy(() -> take(store, 1))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("not keyed");
        String last = insertKeyed(store, "a3").get(0);
        assertBlocked(store, 2);
        assertThat(browse(store, b -> b.limit(10))).hasSize(3);
        assertThat(got(store.reschedule(RescheduleRequest.builder()
                                .ids(List.of(held.id()))
                                .due(Due.now())
                                .token(token())
                                .build()))
                        .outcomes())
                .containsExactly(EditOutcome.HELD);
        assertThat(got(store.remove(RemoveRequest.builder()
                                .ids(List.of(last))
                                .token(token())
                                .build()))
                        .outcomes())
                .containsExactly(RemoveOutcome.REMOVED);
        assertThat(ack(store, receipt(held))).containsExactly(Outcome.DONE);
        assertThat(texts(claim(keyed(), 3))).containsExactly("a2");
    }

    @Test
    void moveIntoAKeyedQueueTakesTheLastPlaceOfItsKey() {
        requires(Capability.ATOMIC_MOVE, Capability.EDIT);
        QueueStore target = keyed("target", 1);
        insertKeyed(store(), "a1", "a2");
        insertKeyed(target, "a0");
        String idle = claim(store(), 1).get(0).id();
        List<StoredMessage> others = claim(store(), 1);
        assertThat(got(store().move(moving(moveTo(receipt(others.get(0)), "target"))))
                        .outcomes())
                .containsExactly(Outcome.DONE);
        assertThat(got(store().moveIdle(MoveIdleRequest.builder()
                                .ids(List.of(idle, "absent"))
                                .toQueue("target")
                                .token(token())
                                .build()))
                        .outcomes())
                .containsExactly(EditOutcome.HELD, EditOutcome.ABSENT);
        assertBlocked(target, 1);
        ack(target, receipt(claimOne(target)));
        assertThat(texts(claim(target, 2))).containsExactly("a2");
    }

    @Test
    void deletedQueueCanBecomeKeyedOtherwise() {
        requires(Capability.DELETE);
        insertKeyed(keyed(), "a1");
        ack(keyed(), receipt(claimOne(keyed())));
        got(keyed().delete(dev.jono.spi.DeleteRequest.builder().build()));
        insertKeyed(keyed("orders", 3), "a1");
        assertThat(claim(keyed("orders", 3), 1)).hasSize(1);
    }

    // ---- repeated calls -------------------------------------------------------------------------------------

    @Test
    void repeatedInsertStoresAndBlocksOnce() {
        requiresRepeatable();
        InsertRequest request = insertingKeyed("a1", "a2");
        List<String> first = ids(got(keyed().insert(request)));
        assertThat(ids(got(keyed().insert(request)))).isEqualTo(first);
        assertCounts(keyed(), 1, 0, 0);
        assertBlocked(keyed(), 1);
    }

    @Test
    void repeatedClaimFindsWhatItClaimedInTheOrderOfTheKey() {
        requiresRepeatable();
        insertKeyed(keyed(), "a1", "b1", "a2", "a3");
        ClaimRequest request = claiming(3).maxPerKey(3).build();
        List<StoredMessage> first = got(keyed().claim(request)).messages();
        List<StoredMessage> again = got(keyed().claim(request)).messages();
        assertThat(texts(first)).containsExactly("a1", "a2", "a3");
        assertThat(texts(again)).containsExactly("a1", "a2", "a3");
        assertCounts(keyed(), 1, 0, 3);
        assertThat(ack(keyed(), again.stream().map(StoreCase::receipt).toArray(dev.jono.spi.Receipt[]::new)))
                .containsOnly(Outcome.DONE);
        assertBlocked(keyed(), 0);
    }

    @Test
    void repeatedAckAdmitsTheNextOnce() {
        insertKeyed(keyed(), "a1", "a2", "a3");
        SettleRequest request = acking(receipt(claimOne(keyed())));
        got(keyed().ack(request));
        got(keyed().ack(request));
        assertThat(texts(claim(keyed(), 3))).containsExactly("a2");
        assertBlocked(keyed(), 1);
    }

    @Test
    void repeatedReleaseTakesBackOnce() {
        requiresRepeatable();
        insertKeyed(keyed(), "a1", "a2", "a3");
        List<StoredMessage> held = claimTogether(keyed(), 2);
        ReleaseRequest request = releasing(ReleaseRequest.Item.of(receipt(held.get(0)), null, true));
        assertThat(got(keyed().release(request)).outcomes()).containsExactly(Outcome.DONE);
        assertThat(got(keyed().release(request)).outcomes()).containsExactly(Outcome.DONE);
        assertThat(ack(keyed(), receipt(held.get(1)))).containsExactly(Outcome.STALE);
        List<StoredMessage> again = claimTogether(keyed(), 3);
        assertThat(texts(again)).containsExactly("a1", "a2", "a3");
        assertThat(again).extracting(StoredMessage::tries).containsExactly(1, 0, 0);
    }

    @Test
    void repeatedMoveAdmitsTheNextOnceOnBothSides() {
        requires(Capability.ATOMIC_MOVE);
        requiresRepeatable();
        QueueStore target = keyed("target", 1);
        insertKeyed(target, "a0");
        insertKeyed(keyed(), "a1", "a2", "a3");
        MoveRequest request = moving(moveTo(receipt(claimOne(keyed())), "target"));
        assertThat(got(keyed().move(request)).outcomes()).containsExactly(Outcome.DONE);
        assertThat(got(keyed().move(request)).outcomes()).containsExactly(Outcome.DONE);
        assertThat(texts(claim(keyed(), 3))).containsExactly("a2");
        assertBlocked(target, 1);
        ack(target, receipt(claimOne(target)));
        assertThat(texts(claim(target, 3))).containsExactly("a1");
    }
}
