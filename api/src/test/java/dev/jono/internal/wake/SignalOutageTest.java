package dev.jono.internal.wake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.internal.fakes.FakePlugins;
import dev.jono.internal.fakes.Fakes;
import dev.jono.internal.fakes.Hooked;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Signals are best effort: whatever their broker does, operations go on, and the poll interval repairs what was lost. */
final class SignalOutageTest {
    private final Hooked hooked = new Hooked();

    @AfterEach
    void close() {
        hooked.close();
    }

    @Test
    void anErrorInTheSignallerDoesNotFailThePush() throws Exception {
        hooked.on("publish", (signal, real) -> {
            throw new NoClassDefFoundError("a test's");
        });
        MessageQueue<String> orders = hooked.connect().queue("orders", String.class);
        orders.push("a");
        orders.push("b");
        assertThat(orders.pop(5, Duration.ZERO)).hasSize(2);
    }

    @Test
    void aPublishThatIsNeverAnsweredDoesNotSilenceTheQueue() {
        Fakes.Clock clock = new Fakes.Clock();
        AtomicInteger published = new AtomicInteger();
        QueueSignals signals = Fakes.core(
                        Fakes.context(clock, 10, Runnable::run),
                        new FakePlugins.NoStore(),
                        new FakePlugins.NoStats(),
                        new FakePlugins.Ear() {
                            @Override
                            public CompletionStage<Void> publish(Signal signal) {
                                published.incrementAndGet();
                                return new CompletableFuture<>();
                            }
                        })
                .signals;
        signals.inserted(1);
        signals.inserted(1);
        assertThat(published).hasValue(1);
        clock.advance(Fakes.TIMEOUT);
        signals.inserted(1);
        assertThat(published).hasValue(2);
    }

    @Test
    void aSubscriptionThatCannotBeEndedDoesNotEndThePolling() {
        hooked.on("subscribe", (queue, real) -> (Signaller.Subscription) () -> {
            throw new IllegalStateException("connection lost");
        });
        QueueFactory jono = hooked.connect(hooked.builder()
                .queueDefaults(QueueOptions.builder()
                        .pollInterval(Duration.ofMillis(50))
                        .build()));
        AtomicInteger probes = new AtomicInteger();
        hooked.on("probe", (queues, real) -> {
            probes.incrementAndGet();
            return real.call();
        });
        CompletableFuture<Optional<Message<String>>> first =
                jono.queue("a", String.class).popAsync(Duration.ofMillis(1));
        await().until(first::isDone);
        CompletableFuture<Optional<Message<String>>> second =
                jono.queue("b", String.class).popAsync(Duration.ofMinutes(1));
        await().until(() -> probes.get() > 5);
        hooked.bystander().queue("b", String.class).push("x");
        await().until(second::isDone);
        assertThat(second.join()).isPresent();
    }
}
