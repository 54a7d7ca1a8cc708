package dev.jono.testkit;

import dev.jono.JonoClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Lets the time of a storage pass: moves a settable clock, or waits. */
final class PassingTime {
    /** How far the settable clock moves between two checks: 1/10 second, or 1/150 of the limit if that is more. */
    private static final int STEPS_PER_SECOND = 10;

    private static final int STEPS_TO_LIMIT = 150;

    /** How far a settable clock that follows the real time moves between two checks. */
    private static final Duration LONGEST_STEP = Duration.ofMillis(100);

    private final @Nullable SettableClock clock;
    private final Duration second;

    PassingTime(@Nullable SettableClock clock, Duration second) {
        this.clock = clock;
        this.second = second;
    }

    void pass(Duration duration) {
        if (clock != null) {
            clock.advance(duration);
            return;
        }
        JonoClock real = JonoClock.system();
        long end = real.nanos() + duration.toNanos();
        Awaitility.await("time to pass")
                .pollDelay(duration)
                .atMost(duration.plusSeconds(30))
                .until(() -> real.nanos() - end >= 0);
    }

    void passUntil(String what, Duration limit, BooleanSupplier holds) {
        if (clock != null) {
            moveUntil(clock, what, limit, holds);
            return;
        }
        Awaitility.await(what)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(limit.plusSeconds(5))
                .until(holds::getAsBoolean);
    }

    /** As {@link #passUntil}, but a settable clock goes as fast as the real time, or slower where the machine is busy. */
    void workUntil(String what, BooleanSupplier holds) {
        JonoClock real = JonoClock.system();
        AtomicLong last = new AtomicLong(real.nanos());
        Awaitility.await(what)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofMinutes(2))
                .until(() -> {
                    long now = real.nanos();
                    Duration passed = Duration.ofNanos(now - last.getAndSet(now));
                    if (clock != null) {
                        clock.advance(passed.compareTo(LONGEST_STEP) < 0 ? passed : LONGEST_STEP);
                    }
                    return holds.getAsBoolean();
                });
    }

    private void moveUntil(SettableClock moved, String what, Duration limit, BooleanSupplier holds) {
        long end = moved.nanos() + limit.toNanos();
        long stepMillis = second.toMillis() / STEPS_PER_SECOND;
        // Storages have a resolution of one millisecond.
        Duration step = Duration.ofMillis(Math.max(stepMillis, limit.toMillis() / STEPS_TO_LIMIT));
        Awaitility.await(what)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                // The clock is fast; what moves behind it may be slow on a busy machine.
                .atMost(Duration.ofSeconds(55))
                .until(() -> {
                    if (holds.getAsBoolean()) {
                        return true;
                    }
                    if (moved.nanos() - end < 0) {
                        moved.advance(step);
                        return holds.getAsBoolean();
                    }
                    // All storage time has passed. Calls in flight need a little real time.
                    Awaitility.await(what + ", within " + limit)
                            .pollDelay(Duration.ZERO)
                            .pollInterval(Duration.ofMillis(2))
                            .atMost(Duration.ofSeconds(40))
                            .until(holds::getAsBoolean);
                    return true;
                });
    }
}
