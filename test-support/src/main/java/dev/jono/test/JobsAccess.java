package dev.jono.test;

import dev.jono.QueueFactory;
import dev.jono.jobs.JobQuery;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.ScheduleView;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/** What the extension does with jobs. Loaded only by a test that uses jobs, because {@code jono-jobs} is optional. */
final class JobsAccess {
    private JobsAccess() {}

    static Jobs of(QueueFactory jono) {
        return Jobs.on(jono);
    }

    /** The earliest next occurrence of the schedules; empty if none is active. */
    static Optional<Instant> nextOccurrence(QueueFactory jono) {
        return Jobs.on(jono).schedules().stream()
                .flatMap(schedule -> schedule.next().stream())
                .min(Comparator.naturalOrder());
    }

    /** Removes jobs and schedules. */
    static void clean(QueueFactory jono) {
        Jobs jobs = Jobs.on(jono);
        for (ScheduleView schedule : jobs.schedules()) {
            jobs.unschedule(schedule.name());
        }
        jobs.removeAll(JobQuery.all(), Integer.MAX_VALUE);
    }
}
