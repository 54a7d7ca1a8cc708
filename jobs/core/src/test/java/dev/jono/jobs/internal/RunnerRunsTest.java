package dev.jono.jobs.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.JonoClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class RunnerRunsTest {
    private final RunnerRuns runs = new RunnerRuns(new HandlerSlots(1), () -> {});

    @Test
    void waitsForEndsThatAreInFlight() {
        CompletableFuture<String> end = new CompletableFuture<>();
        runs.addEnd(end);
        assertThat(runs.awaitEnds(JonoClock.system(), Duration.ofMillis(1))).isFalse();
        CompletableFuture<Boolean> wait =
                CompletableFuture.supplyAsync(() -> runs.awaitEnds(JonoClock.system(), Duration.ofMinutes(1)));
        end.complete("done");
        assertThat(wait.join()).isTrue();
    }

    @Test
    void doesNotWaitForEndsThatHaveFailed() {
        CompletableFuture<String> end = new CompletableFuture<>();
        runs.addEnd(end);
        end.completeExceptionally(new IllegalStateException("refused"));
        assertThat(runs.awaitEnds(JonoClock.system(), Duration.ZERO)).isTrue();
    }
}
