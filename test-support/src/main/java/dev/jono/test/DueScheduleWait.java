package dev.jono.test;

import dev.jono.QueueFactory;
import dev.jono.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Waits until the runners of a factory have enqueued the jobs of due schedules. Used by the thread of the test. */
final class DueScheduleWait {
    /** Runners look at the schedules at this interval, by the clock. */
    private static final Duration LOOK = Duration.ofMillis(500);

    /** How long a look may take, by real time. */
    private static final Duration PATIENCE = Duration.ofMillis(50);

    /** A schedule whose job cannot be enqueued stays due. */
    private static final int MAX_LOOKS = 40;

    private static final String JOBS = "{jobs:";

    private final QueueFactory jono;
    private final IdleWait idle;

    DueScheduleWait(QueueFactory jono, IdleWait idle) {
        this.jono = jono;
        this.idle = idle;
    }

    /** The next occurrence of all schedules, which is in the past if one is due; empty if the factory has no runner of jobs. */
    Optional<Instant> next() {
        boolean runsJobs = idle.served().stream().anyMatch(name -> name.startsWith(JOBS));
        return runsJobs ? JobsAccess.nextOccurrence(jono) : Optional.empty();
    }

    /**
     * Waits until no schedule is due, and lets the time pass that runners need to look at them.
     *
     * @param endNanos the time of the clock that is not passed
     */
    void await(SettableClock clock, long endNanos) {
        for (int look = 0; look < MAX_LOOKS && isDue(clock); look++) {
            clock.advance(Duration.ofNanos(Math.min(LOOK.toNanos(), Math.max(0, endNanos - clock.nanos()))));
            try {
                Awaitility.await()
                        .pollDelay(Duration.ZERO)
                        .pollInterval(1, TimeUnit.MILLISECONDS)
                        .atMost(PATIENCE)
                        .until(() -> !isDue(clock));
            } catch (ConditionTimeoutException late) {
                // the runner needs another look
            }
        }
    }

    private boolean isDue(SettableClock clock) {
        return next().filter(time -> !time.isAfter(clock.wall())).isPresent();
    }
}
