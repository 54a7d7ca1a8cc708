package dev.jono.memory;

import static dev.jono.memory.TestQueue.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Storage;
import dev.jono.spi.Backend;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.Counter;
import dev.jono.spi.HandClock;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.StatsStore;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MemStatsTest {
    private static StatsStore open(String url, String namespace, @Nullable Storage storage) {
        return new MemStatsProvider()
                .open(PluginConfig.builder()
                        .url(ConnectionUrl.parse(url))
                        .namespace(namespace)
                        .executor(Runnable::run)
                        .storage(storage)
                        .build());
    }

    @Test
    void addsAndClears() {
        StatsStore stats = open("mem:", "N", null);
        assertThat(get(stats.read("q"))).isEmpty();
        get(stats.add(Map.of("q", Map.of(Counter.PUSHED, 2L), "r", Map.of(Counter.ACKED, 1L))));
        get(stats.add(Map.of("q", Map.of(Counter.PUSHED, 3L, Counter.POPPED, 1L))));
        assertThat(get(stats.read("q"))).containsOnly(Map.entry(Counter.PUSHED, 5L), Map.entry(Counter.POPPED, 1L));
        get(stats.clear("q"));
        assertThat(get(stats.read("q"))).isEmpty();
        assertThat(get(stats.read("r"))).containsOnly(Map.entry(Counter.ACKED, 1L));
    }

    @Test
    void clearKeepsThePausedFlag() {
        StatsStore stats = open("mem:", "N", null);
        get(stats.setPaused("q", true));
        get(stats.add(Map.of("q", Map.of(Counter.PUSHED, 1L), "r", Map.of(Counter.PUSHED, 1L))));
        get(stats.clear("q"));
        assertThat(get(stats.paused(List.of("q", "r", "s")))).containsExactly("q");
        assertThat(get(stats.queues())).containsExactlyInAnyOrder("q", "r");
        get(stats.setPaused("q", false));
        assertThat(get(stats.paused(List.of("q", "r")))).isEmpty();
        assertThat(get(stats.queues())).containsExactly("r");
    }

    @Test
    void sharesByStorageAndNamespace() {
        try (Backend backend = TestQueue.open("memory:", new HandClock())) {
            get(open("mem:", "N", backend.storage()).setPaused("q", true));
            assertThat(get(open("mem:", "N", backend.storage()).paused(List.of("q"))))
                    .containsExactly("q");
            assertThat(get(open("mem:", "M", backend.storage()).queues())).isEmpty();
            assertThat(get(open("mem:", "N", null).queues())).isEmpty();
        }
    }

    @Test
    void sharesByNameUntilTheLastUserCloses() {
        StatsStore one = open("mem:stats-1", "N", null);
        StatsStore two = open("mem:stats-1", "N", null);
        get(one.setPaused("q", true));
        one.close();
        one.close();
        assertThat(get(two.queues())).containsExactly("q");
        two.close();
        assertThat(get(open("mem:stats-1", "N", null).queues())).isEmpty();
    }
}
