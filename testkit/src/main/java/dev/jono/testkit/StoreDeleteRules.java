package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.spi.DeleteRequest;
import dev.jono.spi.DeleteResult;
import dev.jono.spi.Due;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.QueueStore;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Deleting a queue is refused while it holds messages, unless the call includes them. */
abstract class StoreDeleteRules extends StoreCase {
    StoreDeleteRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsDelete() {
        requires(Capability.DELETE);
    }

    private static DeleteResult delete(QueueStore store, boolean withMessages) {
        return got(
                store.delete(DeleteRequest.builder().withMessages(withMessages).build()));
    }

    private static void assertDeleted(QueueStore store, long messages) {
        DeleteResult result = delete(store, messages > 0);
        assertThat(result.deleted()).as("deleted").isTrue();
        assertThat(result.messages()).as("messages deleted with it").isEqualTo(messages);
    }

    private static void assertRefused(QueueStore store, long messages) {
        DeleteResult result = delete(store, false);
        assertThat(result.deleted()).as("deleted").isFalse();
        assertThat(result.messages()).as("messages that prevent the delete").isEqualTo(messages);
    }

    private List<String> names() {
        return got(backend().queues());
    }

    @Test
    void deletedQueueIsNotListed() {
        insert(store(), "a");
        insert(store("other"), "stays");
        take(store(), 1);
        assertDeleted(store(), 0);
        assertThat(names()).containsExactly("other");
        assertCounts(store(), 0, 0, 0);
        assertCounts(store("other"), 1, 0, 0);
        assertThat(names()).as("after a read").containsExactly("other");
    }

    @Test
    void deletingWhatIsNotThereIsFine() {
        assertDeleted(store(), 0);
        insert(store(), "a");
        take(store(), 1);
        assertDeleted(store(), 0);
        assertDeleted(store(), 0);
        assertThat(names()).isEmpty();
    }

    @Test
    void readyMessagesAreInTheWay() {
        insert(store(), "a", "b", "c");
        assertRefused(store(), 3);
        assertThat(texts(take(store(), 5).messages())).containsExactly("a", "b", "c");
    }

    @Test
    void scheduledMessagesAreInTheWay() {
        requires(Capability.SCHEDULE);
        insertDue(store(), "later", Due.in(seconds(1_000).toMillis()));
        assertRefused(store(), 1);
        assertCounts(store(), 0, 1, 0);
    }

    @Test
    void reservedMessagesAreInTheWay() {
        requires(Capability.RESERVE);
        insert(store(), "a");
        StoredMessage held = claimOne(store());
        assertRefused(store(), 1);
        assertThat(ack(store(), receipt(held))).containsExactly(Outcome.DONE);
        assertDeleted(store(), 0);
    }

    @Test
    void allMessagesMayGoWithIt() {
        requires(Capability.RESERVE, Capability.SCHEDULE);
        insert(store("other"), "stays");
        insert(store(), "held", "ready");
        insertDue(store(), "later", Due.in(seconds(1_000).toMillis()));
        StoredMessage held = claimOne(store());
        assertDeleted(store(), 3);
        assertThat(names()).containsExactly("other");
        assertCounts(store(), 0, 0, 0);
        assertThat(ack(store(), receipt(held))).containsExactly(Outcome.GONE);
        assertCounts(store("other"), 1, 0, 0);
    }

    @Test
    void manyMessagesMayGoWithIt() {
        int batch = Math.min(1_000, backend().traits().maxBatch());
        for (int i = 0; i < 3; i++) {
            insert(
                    store(),
                    java.util.stream.IntStream.range(0, batch)
                            .mapToObj(n -> "m" + n)
                            .toArray(String[]::new));
        }
        assertDeleted(store(), 3L * batch);
        assertCounts(store(), 0, 0, 0);
        assertThat(names()).isEmpty();
    }

    @Test
    void insertBehindADeleteMakesTheQueueAnewThroughEveryHandle() {
        QueueStore before = store();
        QueueStore other = store();
        insert(before, "a");
        insert(other, "b");
        take(before, 5);
        assertDeleted(before, 0);
        insert(other, "c");
        insert(before, "d");
        assertThat(names()).containsExactly("orders");
        assertThat(texts(take(store(), 5).messages())).containsExactly("c", "d");
    }

    @Test
    void numbersAndPlacesOfADeletedQueueAreNobodyElses() {
        QueueStore before = store();
        insert(before, "a");
        take(before, 1);
        assertDeleted(before, 0);
        insert(store("other"), "of the other");
        insert(before, "of this one");
        assertThat(texts(take(before, 5).messages())).containsExactly("of this one");
        assertThat(texts(take(store("other"), 5).messages())).containsExactly("of the other");
    }

    @Test
    void insertThatIsRepeatedBehindADeleteIsStoredOnce() {
        requiresRepeatable();
        InsertRequest lost = inserting(message("a").build());
        got(store().insert(lost));
        // The call whose reply was lost came from another process, unknown to this one.
        try (var process = storage().openBackend()) {
            QueueStore remote = process.queue(
                    dev.jono.spi.QueueSpec.builder().name("orders").build());
            take(remote, 1);
            assertDeleted(remote, 0);
        }
        got(store().insert(lost));
        assertCounts(store(), 0, 0, 0);
    }

    @Test
    void historyGoesWithIt() {
        requires(Capability.HISTORY);
        var spec = dev.jono.spi.QueueSpec.builder()
                .name("orders")
                .historyMillis(seconds(1_000).toMillis())
                .build();
        QueueStore keeping = backend().queue(spec);
        insert(keeping, "a");
        take(keeping, 1);
        assertDeleted(keeping, 0);
        assertThat(names()).isEmpty();
        insert(keeping, "b");
        assertThat(browse(
                        keeping,
                        b -> b.view(dev.jono.spi.BrowseRequest.View.HISTORY).limit(10)))
                .isEmpty();
    }
}
