package dev.jono.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a caller looks for its answer before it sleeps, and when it does not. */
final class SpinWaitTest {
    private final CompletableFuture<String> never = new CompletableFuture<>();

    /** Is done at the third look. */
    private static final class Soon extends CompletableFuture<String> {
        int looks;

        @Override
        public boolean isDone() {
            return ++looks >= 3;
        }
    }

    private static void wait(SpinWait spin, CompletableFuture<?> answer) {
        spin.begin(answer);
        spin.end();
    }

    /** A look is short, so a busy machine may cut one short; not all of them. */
    @Test
    void whoWaitsAloneLooksUntilTheAnswerIsThere() {
        boolean seen = false;
        for (int tries = 0; tries < 100 && !seen; tries++) {
            SpinWait spin = new SpinWait(2);
            wait(spin, never);
            assertThat(spin.misses()).isEqualTo(1);
            Soon soon = new Soon();
            wait(spin, soon);
            seen = soon.looks == 3 && spin.misses() == 0;
        }
        assertThat(seen).as("an answer that comes soon is waited for").isTrue();
    }

    @Test
    void whoWaitsBesideOthersDoesNotLook() {
        SpinWait spin = new SpinWait(2);
        CompletableFuture<String> other = CompletableFuture.completedFuture("answer");
        spin.begin(other);
        wait(spin, never);
        assertThat(spin.misses()).isZero();
        spin.end();
        wait(spin, never);
        assertThat(spin.misses()).isEqualTo(1);
    }

    /** The look ends, and once it has missed often it is tried now and then. */
    @Test
    void slowStorageIsSeldomLookedAt() {
        SpinWait spin = new SpinWait(2);
        for (int i = 0; i < 1_000; i++) {
            wait(spin, never);
        }
        assertThat(spin.misses()).isBetween(10, 20);
    }

    @Test
    void nobodyLooksWithOneProcessor() {
        SpinWait spin = new SpinWait(1);
        Soon soon = new Soon();
        wait(spin, soon);
        assertThat(soon.looks).isZero();
    }
}
