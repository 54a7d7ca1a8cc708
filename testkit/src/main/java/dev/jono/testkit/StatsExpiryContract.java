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
 * The contract of a {@link StatsStore} that deletes the stats of unused queues, unless they are paused (option {@code
 * jono.expire}). Name the subclass {@code *ContractTest}, so that Surefire runs it.
 */
@Tag("stats")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class StatsExpiryContract {
    private final String namespace = "N" + UUID.randomUUID().toString().substring(0, 8);
    private @Nullable StatsStore opened;

    /** For subclasses. */
    protected StatsExpiryContract() {}

    /** Opens a store whose stats expire after a few seconds, as a slow machine needs. Called once per test. */
    protected abstract StatsStore open(String namespace);

    /**
     * Moves the clock a little and runs the storage's maintenance, if the test controls the clock. Otherwise does
     * nothing.
     */
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
