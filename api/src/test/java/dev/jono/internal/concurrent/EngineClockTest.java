package dev.jono.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.JonoClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No caller has to bear a clock that refuses a timer. */
@Timeout(60)
final class EngineClockTest {
    private final List<EngineClock> open = new ArrayList<>();
    private final AtomicInteger attempts = new AtomicInteger();
    private final AtomicInteger rings = new AtomicInteger();
    private volatile boolean refuses = true;

    private final JonoClock configured = new JonoClock() {
        @Override
        public long wallMillis() {
            return JonoClock.system().wallMillis();
        }

        @Override
        public long nanos() {
            return JonoClock.system().nanos();
        }

        @Override
        public Timer schedule(long delayNanos, Runnable task) {
            attempts.incrementAndGet();
            if (refuses) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return JonoClock.system().schedule(delayNanos, task);
        }
    };

    private EngineClock over(JonoClock clock) {
        EngineClock engine = new EngineClock(clock);
        open.add(engine);
        return engine;
    }

    @AfterEach
    void close() {
        open.forEach(EngineClock::close);
    }

    @Test
    void timerThatIsRefusedIsSetLater() {
        over(configured).schedule(0, rings::incrementAndGet);
        await().until(() -> attempts.get() > 3);
        assertThat(rings).hasValue(0);
        refuses = false;
        await().until(() -> rings.get() == 1);
    }

    @Test
    void timerThatIsCancelledBeforeItCouldBeSetNeverRings() {
        EngineClock clock = over(configured);
        JonoClock.Timer timer = clock.schedule(0, () -> rings.addAndGet(10));
        await().until(() -> attempts.get() > 1);
        timer.cancel();
        refuses = false;
        clock.schedule(0, rings::incrementAndGet);
        await().until(() -> rings.get() > 0);
        assertThat(rings).hasValue(1);
    }

    @Test
    void taskThatThrowsDoesNotStopTheClock() {
        EngineClock clock = over(JonoClock.system());
        clock.schedule(0, () -> {
            throw new AssertionError("a test's");
        });
        clock.schedule(0, rings::incrementAndGet);
        await().until(() -> rings.get() == 1);
    }

    @Test
    void threadEndsWithTheLastTimer() throws Exception {
        EngineClock clock = over(JonoClock.system());
        CompletableFuture<Thread> ringing = new CompletableFuture<>();
        clock.schedule(0, () -> ringing.complete(Thread.currentThread()));
        Thread thread = ringing.get(30, TimeUnit.SECONDS);
        JonoClock.Timer timer = clock.schedule(TimeUnit.HOURS.toNanos(1), rings::incrementAndGet);
        clock.close();
        assertThat(thread.isAlive()).isTrue();
        timer.cancel();
        await().until(() -> !thread.isAlive());
    }

    @Test
    void callThatOutlivesTheFactoryStillHasATimer() {
        EngineClock clock = over(JonoClock.system());
        clock.close();
        clock.schedule(0, rings::incrementAndGet);
        await().until(() -> rings.get() == 1);
    }
}
