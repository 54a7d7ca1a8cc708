package dev.jono.internal.wake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.internal.fakes.Fakes;
import dev.jono.internal.fakes.Hooked;
import dev.jono.spi.ProbeRequest;
import dev.jono.spi.StatsStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The net under lost signals holds, and stays one net, whatever a probe does. */
final class PollerTest {
    private static final int TICKS = 12;

    private final Hooked hooked = new Hooked();

    @AfterEach
    void close() {
        hooked.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"throws", "null", "fails", "stats throw"})
    void aTickThatGoesWrongIsFollowedByOneTick(String wrong) {
        Fakes.Clock clock = new Fakes.Clock();
        MessageQueue<String> orders =
                hooked.connect(hooked.builder().clock(clock)).queue("orders", String.class);
        CompletableFuture<Optional<Message<String>>> waiting = orders.popAsync(Duration.ofHours(1));
        AtomicInteger probes = new AtomicInteger();
        hooked.on("probe", (queues, real) -> {
            probes.incrementAndGet();
            return switch (wrong) {
                case "throws" -> throw new NoClassDefFoundError("a test's");
                case "null" -> null;
                case "fails" -> CompletableFuture.failedFuture(new IllegalStateException("a test's"));
                default -> real.call();
            };
        });
        if (wrong.equals("stats throw")) {
            hooked.on("paused", (queues, real) -> {
                throw new NoClassDefFoundError("a test's");
            });
        }
        for (int i = 0; i < TICKS; i++) {
            clock.pass(Duration.ofSeconds(15));
        }
        assertThat(probes).hasValue(TICKS);
        hooked.off("probe");
        hooked.off("paused");
        hooked.bystander().queue("orders", String.class).push("a");
        clock.pass(Duration.ofSeconds(15));
        assertThat(waiting).succeedsWithin(Duration.ofSeconds(20));
    }

    /** As where a user of the storage has no right to the stats. */
    @Test
    void probeThatCannotReadTheFlagsIsMadeWithoutThem() {
        Fakes.Clock clock = new Fakes.Clock();
        hooked.on("carries", (companion, real) -> companion instanceof StatsStore);
        hooked.on(
                "probe",
                (request, real) -> ((ProbeRequest) request).flags().isEmpty()
                        ? real.call()
                        : CompletableFuture.failedFuture(new IllegalStateException("a test's")));
        MessageQueue<String> orders =
                hooked.connect(hooked.builder().clock(clock)).queue("orders", String.class);
        CompletableFuture<Optional<Message<String>>> waiting = orders.popAsync(Duration.ofHours(1));
        hooked.bystander().queue("orders", String.class).push("a");
        clock.pass(Duration.ofSeconds(15));
        assertThat(waiting).succeedsWithin(Duration.ofSeconds(20));
    }
}
