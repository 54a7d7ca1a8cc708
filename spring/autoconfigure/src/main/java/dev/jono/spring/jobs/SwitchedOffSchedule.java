package dev.jono.spring.jobs;

import dev.jono.jobs.Jobs;
import dev.jono.jobs.RunnerView;
import dev.jono.jobs.ScheduleView;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A schedule whose expression is {@code -}. Schedules are shared by all processes on the storage. So it is removed, unless a runner of
 * another process handles its jobs: that one perhaps needs it, and would miss it until its next start.
 *
 * @param name the name of the schedule
 */
record SwitchedOffSchedule(String name) {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.spring");

    /** Removes it from the storage, or logs why it stays. Called before the runner of this application starts. */
    void apply(Jobs jobs) {
        Optional<ScheduleView> stored = jobs.schedules().stream()
                .filter(schedule -> schedule.name().equals(name))
                .findFirst();
        stored.ifPresent(schedule -> removeOrKeep(jobs, schedule));
    }

    private void removeOrKeep(Jobs jobs, ScheduleView schedule) {
        Optional<RunnerView> other = jobs.runners().stream()
                .filter(runner -> runner.types().contains(schedule.type()))
                .findFirst();
        if (other.isPresent()) {
            LOG.warn(
                    "the schedule '{}' is switched off in this application, but stays in the storage, because the runner"
                            + " '{}' of another process handles its jobs; jobs.unschedule(\"{}\") removes it for all",
                    name,
                    other.get().name(),
                    name);
        } else if (jobs.unschedule(name)) {
            LOG.info("the schedule '{}' is switched off, and was removed from the storage", name);
        }
    }
}
