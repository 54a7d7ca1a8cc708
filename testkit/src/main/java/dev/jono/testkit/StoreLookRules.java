package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.RemoveOutcome;
import dev.jono.spi.BrowseRequest.View;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.CountsResult;
import dev.jono.spi.Due;
import dev.jono.spi.ProbeRequest;
import dev.jono.spi.ProbeResult;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Browse, counts, probe, remove, purge. */
abstract class StoreLookRules extends StoreCase {
    StoreLookRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @Test
    void countsTellReadyScheduledAndReserved() {
        requires(Capability.RESERVE, Capability.SCHEDULE);
        insert(store(), "a", "b", "c");
        insertDue(store(), "d", Due.in(seconds(100).toMillis()));
        claim(store(), 2);
        assertCounts(store(), 1, 1, 2);
        CountsResult counts = counts(store());
        assertThat(counts.nextMillis()).isZero();
        assertThat(counts.oldestReadyMillis()).isPresent();
        assertThat(counts.oldestReadyMillis().getAsLong()).isBetween(1L, counts.storageMillis());
    }

    @Test
    void countsTakeWhatExpiredForReady() {
        requires(Capability.RESERVE);
        insert(store(), "a");
        claim(store(), 1, seconds(2));
        pass(seconds(3));
        assertCounts(store(), 1, 0, 0);
    }

    /** Callers treat an empty queue as done, so a message in use must be counted. */
    @Test
    void queueWhoseMessageIsTakenUpAndPutBackNeverCountsAsEmpty() {
        requires(Capability.RESERVE);
        insert(store(), "a");
        AtomicBoolean enough = new AtomicBoolean();
        CompletableFuture<Void> hands = CompletableFuture.runAsync(() -> {
            QueueStore theirs = store();
            while (!enough.get()) {
                release(theirs, receipt(claimOne(theirs)), Due.now(), false);
            }
        });
        try {
            for (int i = 0; i < 500; i++) {
                CountsResult counts = counts(store());
                assertThat(counts.ready() + counts.scheduled() + counts.reserved())
                        .as("messages at read %d", i)
                        .isPositive();
            }
        } finally {
            enough.set(true);
            got(hands);
        }
        assertCounts(store(), 1, 0, 0);
    }

    @Test
    void countsOfAnEmptyQueueAreZero() {
        assertCounts(store(), 0, 0, 0);
        assertThat(counts(store()).nextMillis()).isEqualTo(ClaimResult.NONE);
        assertThat(counts(store()).oldestReadyMillis()).isEmpty();
    }

    @Test
    void countsTellTheNextDueTimeOfWhatNobodyHolds() {
        requires(Capability.SCHEDULE, Capability.RESERVE);
        insert(store(), "held");
        claim(store(), 1);
        assertThat(counts(store()).nextMillis()).isEqualTo(ClaimResult.NONE);
        insertDue(store(), "later", Due.in(seconds(100).toMillis()));
        assertThat(counts(store()).nextMillis()).isBetween(1L, mostMillis(100));
    }

    @Test
    void probeTellsOfManyQueuesHowLongUntilTheyHaveSomething() {
        requires(Capability.SCHEDULE);
        insert(store("now"), "a");
        insertDue(store("later"), "a", Due.in(seconds(50).toMillis()));
        ProbeResult probe = got(backend()
                .probe(ProbeRequest.builder()
                        .queues(List.of("now", "later", "empty"))
                        .build()));
        assertThat(probe.nextMillis()).containsEntry("now", 0L);
        assertThat(probe.nextMillis().get("later")).isBetween(1L, mostMillis(50));
        assertThat(probe.nextMillis().getOrDefault("empty", ClaimResult.NONE)).isEqualTo(ClaimResult.NONE);
        assertThat(probe.storageMillis()).isGreaterThan(1_500_000_000_000L);
    }

    @Test
    void probeCountsLeasesForTheyEnd() {
        requires(Capability.RESERVE);
        insert(store(), "a");
        claim(store(), 1, seconds(8));
        assertThat(untilTheNextOf("orders")).isBetween(1L, mostMillis(8));
        storage().passUntil("the lease to end", seconds(30), () -> untilTheNextOf("orders") == 0);
    }

    private long untilTheNextOf(String queue) {
        ProbeRequest request = ProbeRequest.builder().queues(List.of(queue)).build();
        return got(backend().probe(request)).nextMillis().getOrDefault(queue, ClaimResult.NONE);
    }

    @Test
    void probeOfNoQueueIsEmpty() {
        assertThat(got(backend().probe(ProbeRequest.builder().queues(List.of()).build()))
                        .nextMillis())
                .isEmpty();
    }

    @Test
    void browseShowsStatesInTheOrderOfDueTimes() {
        requires(Capability.BROWSE, Capability.RESERVE, Capability.SCHEDULE);
        insertDue(store(), "later", Due.in(seconds(100).toMillis()));
        insert(store(), "held", "ready");
        claim(store(), 1);
        List<StoredMessage> all = browse(store(), b -> b);
        assertThat(texts(all)).containsExactly("held", "ready", "later");
        assertThat(all.stream().map(StoredMessage::state))
                .containsExactly(
                        StoredMessage.State.RESERVED, StoredMessage.State.READY, StoredMessage.State.SCHEDULED);
        assertThat(all.get(0).leaseEndMillis()).isPositive();
        assertCounts(store(), 1, 1, 1);
    }

    @Test
    void browseByIdsLeavesOutTheAbsent() {
        requires(Capability.BROWSE);
        List<String> ids = insert(store(), "a", "b", "c");
        take(store(), 1);
        List<String> wanted = List.of(ids.get(2), ids.get(0), ids.get(1), "no-such-id");
        assertThat(texts(browse(store(), b -> b.ids(wanted)))).containsExactlyInAnyOrder("b", "c");
    }

    @Test
    void cursorsPageThroughEverythingOnce() {
        requires(Capability.BROWSE);
        QueueStore store = store();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            insert(store, "m" + i);
            expected.add("m" + i);
        }
        List<String> seen = new ArrayList<>();
        for (List<StoredMessage> page = page(store, null);
                !page.isEmpty();
                page = page(store, page.get(page.size() - 1).cursor())) {
            assertThat(page).hasSizeLessThanOrEqualTo(10);
            seen.addAll(texts(page));
        }
        assertThat(seen).isEqualTo(expected);
    }

    @Test
    void cursorOfAMessageThatLeftStillLeadsOn() {
        requires(Capability.BROWSE);
        insert(store(), "a", "b", "c", "d");
        List<StoredMessage> first = browse(store(), b -> b.limit(2));
        take(store(), 2);
        assertThat(texts(browse(store(), b -> b.after(first.get(1).cursor())))).containsExactly("c", "d");
    }

    private static List<StoredMessage> page(QueueStore store, @Nullable String after) {
        return browse(store, b -> b.after(after).limit(10));
    }

    @Test
    void removeTellsRemovedHeldAndAbsent() {
        requires(Capability.REMOVE, Capability.RESERVE, Capability.SCHEDULE);
        List<String> ids = insert(store(), "held", "ready");
        String later = insertDue(store(), "later", Due.in(seconds(100).toMillis()));
        claim(store(), 1);
        RemoveRequest request = RemoveRequest.builder()
                .ids(List.of(ids.get(0), ids.get(1), later, "no-such-id"))
                .token(token())
                .build();
        assertThat(got(store().remove(request)).outcomes())
                .containsExactly(
                        RemoveOutcome.HELD, RemoveOutcome.REMOVED, RemoveOutcome.REMOVED, RemoveOutcome.ABSENT);
        assertCounts(store(), 0, 0, 1);
    }

    @Test
    void expiredReservationHoldsNothing() {
        requires(Capability.REMOVE, Capability.RESERVE);
        String id = insert(store(), "a").get(0);
        claim(store(), 1, seconds(2));
        pass(seconds(3));
        RemoveRequest request =
                RemoveRequest.builder().ids(List.of(id)).token(token()).build();
        assertThat(got(store().remove(request)).outcomes()).containsExactly(RemoveOutcome.REMOVED);
    }

    @Test
    void purgeRemovesWhatNobodyHolds() {
        requires(Capability.RESERVE, Capability.SCHEDULE);
        insert(store(), "held", "a", "b");
        insertDue(store(), "later", Due.in(seconds(100).toMillis()));
        insert(store("other"), "stays");
        StoredMessage held = claimOne(store());
        assertThat(got(store().purge())).isEqualTo(3);
        assertCounts(store(), 0, 0, 1);
        assertCounts(store("other"), 1, 0, 0);
        assertThat(ack(store(), receipt(held))).containsExactly(dev.jono.spi.SettleResult.Outcome.DONE);
        assertThat(got(store().purge())).isZero();
    }

    @Test
    void historyKeepsWhatWasConsumedForItsTime() {
        requires(Capability.HISTORY);
        Duration kept = seconds(8);
        QueueStore store = backend()
                .queue(QueueSpec.builder()
                        .name("orders")
                        .historyMillis(kept.toMillis())
                        .build());
        insert(store, "a", "b", "c");
        take(store, 1);
        pass(seconds(1));
        take(store, 1);
        CountsResult counts =
                got(store.counts(CountsRequest.builder().history(true).build()));
        assertThat(counts.history()).isEqualTo(2);
        assertThat(counts.ready()).isEqualTo(1);
        List<StoredMessage> history = browse(store, b -> b.view(View.HISTORY));
        assertThat(texts(history)).containsExactly("b", "a");
        assertThat(history).allMatch(m -> m.state() == StoredMessage.State.PROCESSED);
        storage()
                .passUntil(
                        "history to end",
                        kept.multipliedBy(2),
                        () -> got(store.counts(CountsRequest.builder()
                                                .history(true)
                                                .build()))
                                        .history()
                                == 0);
    }

    @Test
    void withoutHistoryNothingIsKept() {
        requires(Capability.HISTORY);
        insert(store(), "a");
        take(store(), 1);
        CountsRequest request = CountsRequest.builder().history(true).build();
        assertThat(got(store().counts(request)).history()).isZero();
    }
}
