package dev.jono.internal.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.StorageException;
import dev.jono.internal.fakes.FakePlugins;
import dev.jono.internal.fakes.Fakes;
import dev.jono.spi.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The stats of a queue that was deleted do not come back: not by what is pending, nor by what is being added, nor by what ends late. */
final class StatsDeleteTest {
    private final List<String> calls = new ArrayList<>();
    private final Fakes.Clock clock = new Fakes.Clock();
    private CompletableFuture<Void> answer = CompletableFuture.completedFuture(null);

    private final StatsHub hub = new StatsHub(Fakes.context(clock, 10, Runnable::run), new FakePlugins.NoStats() {
        @Override
        public CompletionStage<Void> add(Map<String, Map<Counter, Long>> deltas) {
            calls.add("add " + deltas.get(Fakes.QUEUE));
            return answer;
        }

        @Override
        public CompletionStage<Boolean> delete(String queue) {
            calls.add("delete");
            return CompletableFuture.completedFuture(false);
        }
    });
    private final PendingCounts counters = Fakes.counters(hub);
    private final PendingCounts ofOtherOptions = Fakes.counters(hub);

    @Test
    void whatIsPendingIsDropped() {
        counters.pushed(1);
        ofOtherOptions.pushed(2);
        hub.delete(counters).join();
        hub.flush().join();
        assertThat(calls).containsExactly("delete");
    }

    @Test
    void whatIsBeingAddedComesBefore() {
        answer = new CompletableFuture<>();
        counters.pushed(1);
        hub.flush();
        CompletableFuture<Boolean> deleted = hub.delete(counters);
        assertThat(deleted).isNotDone();
        answer.complete(null);
        assertThat(deleted).isDone();
        assertThat(calls).containsExactly("add {PUSHED=1}", "delete");
    }

    @Test
    void whatCouldNotBeAddedIsNotKept() {
        answer = new CompletableFuture<>();
        counters.pushed(1);
        hub.flush();
        CompletableFuture<Boolean> deleted = hub.delete(counters);
        answer.completeExceptionally(new StorageException("refused", null, null, null));
        deleted.join();
        hub.flush().join();
        assertThat(calls).containsExactly("add {PUSHED=1}", "delete");
    }

    @Test
    void whatEndsLateCountsNothingUntilTheQueueIsUsedAnew() {
        hub.delete(counters).join();
        counters.add(Counter.ACKED, 1);
        counters.add(Counter.RETRIED, 1);
        counters.uncount(Counter.POPPED, 1);
        hub.flush().join();
        counters.add(Counter.RESERVED, 1);
        counters.add(Counter.ACKED, 1);
        hub.flush().join();
        assertThat(calls).containsExactly("delete", "add {RESERVED=1, ACKED=1}");
    }
}
