package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.JonoClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SettableClockTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final SettableClock clock = new SettableClock(START);
    private final List<String> ran = new ArrayList<>();

    private JonoClock.Timer in(long millis, String name) {
        return clock.schedule(
                Duration.ofMillis(millis).toNanos(),
                () -> ran.add(name + "@" + Duration.between(START, clock.wall()).toMillis()));
    }

    @Test
    void standsStillUntilItIsMoved() {
        long nanos = clock.nanos();
        assertThat(clock.wall()).isEqualTo(START);
        clock.advance(Duration.ofMillis(1_500));
        assertThat(clock.wall()).isEqualTo(START.plusMillis(1_500));
        assertThat(clock.nanos() - nanos).isEqualTo(1_500_000_000L);
    }

    @Test
    void timersRunInOrderEachAtItsTime() {
        in(30, "c");
        in(10, "a");
        in(20, "b1");
        in(20, "b2");
        in(50, "late");
        assertThat(clock.pendingTimers()).isEqualTo(5);
        clock.advance(Duration.ofMillis(30));
        assertThat(ran).containsExactly("a@10", "b1@20", "b2@20", "c@30");
        assertThat(clock.pendingTimers()).isEqualTo(1);
    }

    @Test
    void timersRunOnTheAdvancingThread() {
        AtomicReference<Thread> thread = new AtomicReference<>();
        clock.schedule(1, () -> thread.set(Thread.currentThread()));
        clock.advance(Duration.ofMillis(1));
        assertThat(thread).hasValue(Thread.currentThread());
    }

    @Test
    void timerThatATimerSetsRunsInTheSameAdvance() {
        clock.schedule(1_000_000, () -> in(5, "second"));
        clock.advance(Duration.ofMillis(10));
        assertThat(ran).containsExactly("second@6");
    }

    @Test
    void cancelledTimerNeverRuns() {
        JonoClock.Timer timer = in(10, "never");
        timer.cancel();
        timer.cancel();
        clock.advance(Duration.ofSeconds(1));
        assertThat(ran).isEmpty();
        assertThat(clock.pendingTimers()).isZero();
    }

    @Test
    void timerWithoutADelayRunsSoonWithoutAnAdvance() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(2);
        clock.schedule(0, done::countDown);
        clock.schedule(-5, done::countDown);
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void wallMovesAloneForthAndBack() {
        in(10, "a");
        long nanos = clock.nanos();
        clock.setWall(START.plus(Duration.ofHours(1)));
        assertThat(clock.wall()).isEqualTo(START.plus(Duration.ofHours(1)));
        clock.setWall(START.minus(Duration.ofHours(1)));
        assertThat(clock.wall()).isEqualTo(START.minus(Duration.ofHours(1)));
        assertThat(clock.nanos()).isEqualTo(nanos);
        assertThat(ran).isEmpty();
    }

    @Test
    void failureOfATimerIsToldWhenAllHaveRun() {
        clock.schedule(1, () -> {
            throw new IllegalStateException("first");
        });
        in(5, "second");
        assertThatThrownBy(() -> clock.advance(Duration.ofMillis(10))).hasMessage("first");
        assertThat(ran).containsExactly("second@5");
        assertThat(clock.wall()).isEqualTo(START.plusMillis(10));
    }

    @Test
    void monotonicTimeDoesNotGoBack() {
        assertThatThrownBy(() -> clock.advance(Duration.ofNanos(-1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void threadsMayScheduleWhileTimeMoves() throws InterruptedException {
        AtomicInteger count = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(() -> {
                for (int n = 0; n < 1_000; n++) {
                    clock.schedule(1 + n, count::incrementAndGet);
                    clock.advance(Duration.ofNanos(10));
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        clock.advance(Duration.ofSeconds(1));
        assertThat(count).hasValue(4_000);
    }
}
