package dev.jono.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.internal.fakes.FakePlugins;
import dev.jono.internal.fakes.Fakes;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Who makes a call is not kept to serve others. */
final class CallerTest {
    /** A storage that answers at once, and somebody who always comes while it answers. */
    @Test
    void popIsNotKeptToClaimForOthers() {
        Fakes.Clock clock = new Fakes.Clock();
        AtomicInteger handedOver = new AtomicInteger();
        AtomicInteger claims = new AtomicInteger();
        WaitingConsumers[] made = new WaitingConsumers[1];
        WaitingConsumers intake = Fakes.core(
                        Fakes.context(clock, 10, task -> handedOver.incrementAndGet()),
                        new FakePlugins.NoStore() {
                            @Override
                            public CompletionStage<ClaimResult> take(ClaimRequest request) {
                                if (claims.incrementAndGet() < 1000) {
                                    made[0].add(new CallWaiter(
                                            "owner",
                                            made[0],
                                            Fakes.QUEUE,
                                            new ClaimTerms(0, 25, "dead", null, 1),
                                            1,
                                            true,
                                            true,
                                            1_000_000_000L));
                                }
                                return CompletableFuture.completedFuture(ClaimResult.builder()
                                        .messages(List.of())
                                        .nextMillis(ClaimResult.NONE)
                                        .storageMillis(1)
                                        .build());
                            }
                        },
                        new FakePlugins.NoStats() {
                            @Override
                            public CompletionStage<Set<String>> paused(Collection<String> queues) {
                                return CompletableFuture.completedFuture(Set.of());
                            }
                        },
                        new FakePlugins.Ear())
                .consumers;
        made[0] = intake;
        new CallWaiter(
                        "owner",
                        intake,
                        Fakes.QUEUE,
                        new ClaimTerms(0, 25, "dead", null, 1),
                        1,
                        true,
                        true,
                        1_000_000_000L)
                .start();
        assertThat(claims.get()).isLessThan(100);
        assertThat(handedOver).hasValue(1);
    }
}
