package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.spi.Counter;
import dev.jono.spi.StatsStore;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract of {@link StatsStore}. Name the subclass {@code *ContractTest}, so that Surefire runs it. */
@Tag("stats")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class StatsContract {
    private final List<StatsStore> opened = new CopyOnWriteArrayList<>();
    private final String namespace = "N" + UUID.randomUUID().toString().substring(0, 8);

    /** For subclasses. */
    protected StatsContract() {}

    /**
     * Opens one more store on the same location, which acts like another process. During a test at least one stays
     * open.
     *
     * @param namespace differs from those of other tests
     */
    protected abstract StatsStore open(String namespace);

    private StatsStore stats() {
        return stats(namespace);
    }

    private StatsStore stats(String name) {
        StatsStore store = open(name);
        opened.add(store);
        return store;
    }

    @AfterEach
    final void closeStores() {
        opened.forEach(StatsStore::close);
        opened.forEach(StatsStore::close);
    }

    private static void add(StatsStore store, String queue, Counter counter, long count) {
        StoreCase.got(store.add(Map.of(queue, Map.of(counter, count))));
    }

    /** All counters, with zero for those that are absent. */
    private static Map<Counter, Long> read(StatsStore store, String queue) {
        Map<Counter, Long> all = new EnumMap<>(Counter.class);
        Map<Counter, Long> found = StoreCase.got(store.read(queue));
        for (Counter counter : Counter.values()) {
            all.put(counter, found.getOrDefault(counter, 0L));
        }
        return all;
    }

    private static Set<String> paused(StatsStore store, String... queues) {
        return StoreCase.got(store.paused(List.of(queues)));
    }

    @Test
    void addedCountsAddUpAndAreSeenByOthers() {
        StatsStore local = stats();
        StatsStore remote = stats();
        add(local, "orders", Counter.PUSHED, 5);
        add(remote, "orders", Counter.PUSHED, 7);
        assertThat(read(local, "orders")).containsEntry(Counter.PUSHED, 12L).containsEntry(Counter.ACKED, 0L);
        assertThat(read(remote, "orders")).containsEntry(Counter.PUSHED, 12L);
    }

    @Test
    void everyCounterIsKept() {
        StatsStore store = stats();
        Map<Counter, Long> deltas = new EnumMap<>(Counter.class);
        for (Counter counter : Counter.values()) {
            deltas.put(counter, deltas.size() + 1L);
        }
        StoreCase.got(store.add(Map.of("orders", deltas)));
        assertThat(read(stats(), "orders")).isEqualTo(deltas);
    }

    @Test
    void oneCallAddsToManyQueues() {
        StatsStore store = stats();
        StoreCase.got(store.add(Map.of(
                "a", Map.of(Counter.PUSHED, 1L),
                "b", Map.of(Counter.PUSHED, 2L, Counter.POPPED, 3L))));
        assertThat(read(store, "a")).containsEntry(Counter.PUSHED, 1L).containsEntry(Counter.POPPED, 0L);
        assertThat(read(store, "b")).containsEntry(Counter.PUSHED, 2L).containsEntry(Counter.POPPED, 3L);
    }

    @Test
    void countsAreSixtyFourBits() {
        StatsStore store = stats();
        add(store, "orders", Counter.PUSHED, 1L << 40);
        add(store, "orders", Counter.PUSHED, 1L << 53);
        assertThat(read(store, "orders")).containsEntry(Counter.PUSHED, (1L << 40) + (1L << 53));
    }

    @Test
    void unknownQueueHasZeroCountsAndNoFlag() {
        assertThat(read(stats(), "nothing").values()).containsOnly(0L);
        assertThat(paused(stats(), "nothing")).isEmpty();
    }

    @Test
    void pausedFlagIsSeenByWhoeverAsksFromNowOn() {
        StatsStore local = stats();
        StatsStore remote = stats();
        StoreCase.got(local.setPaused("orders", true));
        assertThat(paused(remote, "orders", "other")).containsExactly("orders");
        StoreCase.got(remote.setPaused("orders", false));
        assertThat(paused(local, "orders", "other")).isEmpty();
    }

    @Test
    void settingTheFlagTwiceIsHarmless() {
        StatsStore store = stats();
        StoreCase.got(store.setPaused("orders", true));
        StoreCase.got(store.setPaused("orders", true));
        assertThat(paused(store, "orders")).containsExactly("orders");
        StoreCase.got(store.setPaused("orders", false));
        StoreCase.got(store.setPaused("orders", false));
        assertThat(paused(store, "orders")).isEmpty();
    }

    @Test
    void clearZeroesTheCountersAndLeavesTheFlag() {
        StatsStore store = stats();
        add(store, "orders", Counter.PUSHED, 5);
        add(store, "other", Counter.PUSHED, 6);
        StoreCase.got(store.setPaused("orders", true));
        StoreCase.got(store.clear("orders"));
        assertThat(read(store, "orders").values()).containsOnly(0L);
        assertThat(paused(store, "orders")).containsExactly("orders");
        assertThat(read(store, "other")).containsEntry(Counter.PUSHED, 6L);
        add(store, "orders", Counter.PUSHED, 1);
        assertThat(read(store, "orders")).containsEntry(Counter.PUSHED, 1L);
    }

    @Test
    void deleteForgetsCountersAndFlag() {
        StatsStore store = stats();
        add(store, "orders", Counter.PUSHED, 5);
        add(store, "other", Counter.PUSHED, 6);
        StoreCase.got(store.setPaused("orders", true));
        assertThat(StoreCase.got(stats().delete("orders"))).as("was paused").isTrue();
        assertThat(StoreCase.got(store.queues())).containsExactly("other");
        assertThat(read(store, "orders").values()).containsOnly(0L);
        assertThat(paused(store, "orders")).isEmpty();
        assertThat(read(store, "other")).containsEntry(Counter.PUSHED, 6L);
    }

    @Test
    void whatIsAddedBehindADeleteCountsFromZero() {
        StatsStore store = stats();
        add(store, "orders", Counter.PUSHED, 5);
        assertThat(StoreCase.got(store.delete("orders"))).as("was paused").isFalse();
        add(store, "orders", Counter.PUSHED, 1);
        assertThat(read(stats(), "orders")).containsEntry(Counter.PUSHED, 1L);
        assertThat(StoreCase.got(store.queues())).containsExactly("orders");
    }

    @Test
    void deletingWhatIsNotThereIsFine() {
        StatsStore store = stats();
        assertThat(StoreCase.got(store.delete("orders"))).isFalse();
        add(store, "orders", Counter.PUSHED, 5);
        assertThat(StoreCase.got(store.delete("orders"))).isFalse();
        assertThat(StoreCase.got(store.delete("orders"))).isFalse();
        assertThat(StoreCase.got(store.queues())).isEmpty();
    }

    @Test
    void queuesAreThoseWithCountersOrAFlag() {
        StatsStore store = stats();
        assertThat(StoreCase.got(store.queues())).isEmpty();
        add(store, "counted", Counter.PUSHED, 1);
        StoreCase.got(store.setPaused("flagged", true));
        assertThat(StoreCase.got(stats().queues())).containsExactlyInAnyOrder("counted", "flagged");
    }

    @Test
    void namespacesAreKeptApart() {
        StatsStore local = stats();
        StatsStore remote = stats(namespace + "x");
        add(local, "orders", Counter.PUSHED, 1);
        StoreCase.got(local.setPaused("orders", true));
        assertThat(read(remote, "orders").values()).containsOnly(0L);
        assertThat(paused(remote, "orders")).isEmpty();
        assertThat(StoreCase.got(remote.queues())).isEmpty();
    }

    @Test
    void nothingToAddOrAskIsFine() {
        StatsStore store = stats();
        StoreCase.got(store.add(Map.of()));
        StoreCase.got(store.add(Map.of("orders", Map.of())));
        assertThat(StoreCase.got(store.paused(List.of()))).isEmpty();
        assertThat(read(store, "orders").values()).containsOnly(0L);
    }

    @Test
    void countsAddedAtOnceAllCount() {
        List<StatsStore> stores = List.of(stats(), stats(), stats());
        List<CompletableFuture<Void>> adds = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            adds.add(stores.get(i % 3)
                    .add(Map.of("orders", Map.of(Counter.PUSHED, 1L, Counter.ACKED, 2L)))
                    .toCompletableFuture());
        }
        adds.forEach(StoreCase::got);
        assertThat(read(stats(), "orders")).containsEntry(Counter.PUSHED, 300L).containsEntry(Counter.ACKED, 600L);
    }

    @Test
    void queuesOfAnyLegalNameAreCounted() {
        StatsStore store = stats();
        List<String> names = List.of("a:b", "{tag}.q", "a@b/c+d~e#f=g", "a.b.c", "x".repeat(200));
        for (String name : names) {
            add(store, name, Counter.PUSHED, 1);
            StoreCase.got(store.setPaused(name, true));
        }
        names.forEach(name -> assertThat(read(store, name)).as(name).containsEntry(Counter.PUSHED, 1L));
        assertThat(StoreCase.got(store.paused(names))).containsExactlyInAnyOrderElementsOf(names);
        assertThat(StoreCase.got(store.queues())).containsExactlyInAnyOrderElementsOf(names);
    }
}
