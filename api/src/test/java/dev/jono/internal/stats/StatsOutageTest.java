package dev.jono.internal.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.internal.fakes.FakePlugins;
import dev.jono.internal.fakes.Fakes;
import dev.jono.internal.fakes.Hooked;
import dev.jono.spi.Counter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Stats are best effort: whatever their store does, operations go on, and so does the counting when it is back. */
final class StatsOutageTest {
    private final Hooked hooked = new Hooked();

    @AfterEach
    void close() {
        hooked.close();
    }

    @Test
    void aStoreThatNeverAnswersDoesNotFailTheClose() {
        QueueFactory jono = hooked.connect(hooked.builder()
                .queueDefaults(QueueOptions.builder()
                        .operationTimeout(Duration.ofMillis(200))
                        .build()));
        hooked.on("add", (deltas, real) -> new CompletableFuture<Void>());
        jono.queue("orders", String.class).push("a");
        assertThatCode(jono::close).doesNotThrowAnyException();
    }

    @Test
    void aStoreThatNeverAnswersPilesNothingUp() {
        Fakes.Clock clock = new Fakes.Clock();
        AtomicInteger adds = new AtomicInteger();
        StatsHub hub = new StatsHub(Fakes.context(clock, 10, Runnable::run), new FakePlugins.NoStats() {
            @Override
            public CompletionStage<Void> add(Map<String, Map<Counter, Long>> deltas) {
                adds.incrementAndGet();
                return new CompletableFuture<>();
            }
        });
        PendingCounts counters = new PendingCounts(hub, Fakes.QUEUE);
        counters.pushed(1);
        assertThat(hub.flush()).isNotDone();
        counters.pushed(1);
        assertThat(hub.flush()).as("the one flush that waits").isSameAs(hub.flush());
        assertThat(adds).hasValue(1);
    }

    @Test
    void anErrorInTheStoreDoesNotEndTheCounting() {
        AtomicInteger adds = new AtomicInteger();
        hooked.on("add", (deltas, real) -> {
            if (adds.getAndIncrement() == 0) {
                throw new NoClassDefFoundError("a test's");
            }
            return real.call();
        });
        MessageQueue<String> orders = hooked.connect().queue("orders", String.class);
        orders.push("a");
        await().until(() -> adds.get() > 0);
        await().atMost(Duration.ofSeconds(20)).until(() -> orders.stats().pushed() == 1);
    }

    @Test
    void anAnswerOfNullCountsAsNotPaused() throws Exception {
        hooked.on("paused", (queues, real) -> CompletableFuture.completedFuture(null));
        MessageQueue<String> orders = hooked.connect().queue("orders", String.class);
        orders.push("a");
        assertThat(orders.pop(Duration.ZERO)).isPresent();
        hooked.on("paused", (queues, real) -> CompletableFuture.supplyAsync(() -> null));
        MessageQueue<String> bills = hooked.connect().queue("bills", String.class);
        bills.push("a");
        assertThat(bills.pop(Duration.ZERO)).isPresent();
        bills.push("b");
        assertThat(bills.pop(Duration.ZERO)).isPresent();
    }
}
