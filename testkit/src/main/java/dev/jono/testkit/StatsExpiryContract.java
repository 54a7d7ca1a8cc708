package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.spi.Counter;
import dev.jono.spi.StatsStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The rules of a {@link StatsStore} that forgets queues which are neither used nor paused (option {@code jono.expire}). Name
 * the subclass {@code *ContractTest}, or Surefire does not run it.
 */
@Tag("stats")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class StatsExpiryContract {
    private final String namespace = "N" + UUID.randomUUID().toString().substring(0, 8);
    private @Nullable StatsStore opened;

    /** For subclasses. */
    protected StatsExpiryContract() {}

    /** A store whose stats expire soon: after a few seconds, which a slow machine needs. Called once in a test. */
    protected abstract StatsStore open(String namespace);

    /** Lets some time pass where the test moves the clock, and the storage do its upkeep; elsewhere nothing. */
    protected void pass(StatsStore store) {}

    private StatsStore stats() {
        StatsStore known = opened;
        if (known == null) {
            known = open(namespace);
            opened = known;
        }
        return known;
    }

    @AfterEach
    final void closeStore() {
        if (opened != null) {
            opened.close();
        }
    }

    private void count(String queue) {
        StoreCase.got(stats().add(Map.of(queue, Map.of(Counter.PUSHED, 1L))));
    }

    private Set<String> queues() {
        return StoreCase.got(stats().queues());
    }

    private void awaitGone(String queue) {
        Awaitility.await("the stats of " + queue + " to expire")
                .pollInterval(Duration.ofMillis(50))
                .atMost(Duration.ofSeconds(90))
                .until(() -> {
                    pass(stats());
                    return !queues().contains(queue);
                });
    }

    @Test
    void statsOfAQueueThatIsNotUsedGo() {
        count("orders");
        assertThat(queues()).containsExactly("orders");
        awaitGone("orders");
        assertThat(StoreCase.got(stats().read("orders"))).doesNotContainEntry(Counter.PUSHED, 1L);
        count("orders");
        assertThat(StoreCase.got(stats().read("orders"))).containsEntry(Counter.PUSHED, 1L);
        assertThat(queues()).containsExactly("orders");
    }

    @Test
    void pausedQueueIsNotIdle() {
        StoreCase.got(stats().setPaused("orders", true));
        count("orders");
        count("counted before");
        StoreCase.got(stats().setPaused("counted before", true));
        count("witness");
        awaitGone("witness");
        assertThat(StoreCase.got(stats().paused(List.of("orders", "counted before"))))
                .containsExactlyInAnyOrder("orders", "counted before");
        assertThat(StoreCase.got(stats().read("orders"))).containsEntry(Counter.PUSHED, 1L);
        StoreCase.got(stats().setPaused("orders", false));
        awaitGone("orders");
        assertThat(queues()).containsExactly("counted before");
    }
}
