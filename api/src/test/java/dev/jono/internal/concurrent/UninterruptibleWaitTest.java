package dev.jono.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.jono.StorageException;
import dev.jono.internal.fakes.CountingClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that wait for answers. */
@Timeout(60)
final class UninterruptibleWaitTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final CountingClock clock = new CountingClock();

    /** A thread that waits, and what came of it. */
    private final class Caller {
        final CompletableFuture<String> answer = new CompletableFuture<>();
        final CompletableFuture<String> told = new CompletableFuture<>();
        final AtomicBoolean interrupted = new AtomicBoolean();
        final Thread thread;

        Caller(Duration timeout) {
            thread = new Thread(() -> {
                try {
                    told.complete(UninterruptibleWait.answer(
                            answer, clock, timeout, () -> new StorageException("late", "q", null, null)));
                } catch (RuntimeException failure) {
                    told.complete(failure.getMessage());
                }
                interrupted.set(Thread.currentThread().isInterrupted());
            });
            thread.setDaemon(true);
            thread.start();
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> thread.getState() == Thread.State.WAITING);
        }

        void end() throws InterruptedException {
            thread.join();
        }
    }

    @Test
    void eachWaitsForItsTime() {
        Caller first = new Caller(TIMEOUT);
        clock.settable.pass(TIMEOUT.dividedBy(2));
        Caller second = new Caller(TIMEOUT);
        Caller longer = new Caller(TIMEOUT.multipliedBy(2));
        clock.settable.pass(TIMEOUT.dividedBy(2));
        assertThat(first.told.join()).isEqualTo("late");
        assertThat(second.told).isNotDone();
        clock.settable.pass(TIMEOUT.dividedBy(2));
        assertThat(second.told.join()).isEqualTo("late");
        assertThat(longer.told).isNotDone();
        longer.answer.complete("in time");
        assertThat(longer.told.join()).isEqualTo("in time");
    }

    @Test
    void interruptEndsNoWaitAndIsNotForgotten() throws Exception {
        Caller caller = new Caller(TIMEOUT);
        caller.thread.interrupt();
        caller.answer.complete("done");
        assertThat(caller.told.join()).isEqualTo("done");
        caller.end();
        assertThat(caller.interrupted).isTrue();
        assertThat(clock.cancelled).hasValue(1);
    }

    @Test
    void failureIsThrownAsItIs() {
        StorageException down = new StorageException("down", "q", null, null);
        assertThatThrownBy(() -> UninterruptibleWait.answer(
                        CompletableFuture.failedFuture(down).thenApply(never -> never),
                        clock,
                        TIMEOUT,
                        IllegalStateException::new))
                .isSameAs(down);
        Caller caller = new Caller(TIMEOUT);
        caller.answer.completeExceptionally(down);
        assertThat(caller.told.join()).isEqualTo("down");
    }

    @Test
    void withoutTimeWhatIsThereIsLookedAt() {
        assertThat(UninterruptibleWait.answer(
                        CompletableFuture.completedFuture("a"), clock, Duration.ZERO, IllegalStateException::new))
                .isEqualTo("a");
        assertThatThrownBy(() -> UninterruptibleWait.answer(
                        new CompletableFuture<>(),
                        clock,
                        Duration.ZERO,
                        () -> new StorageException("late", "q", null, null)))
                .hasMessage("late");
        assertThat(clock.timers).hasValue(0);
    }
}
