package dev.jono.e2e.jobs;

import dev.jono.jobs.JobView;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.ScheduleView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Checks the jobs of the schedules at the end of a {@link JobLoad}. */
record ScheduleCheck(Jobs jobs, Map<String, JobView> found, List<String> violations) {
    private static final String OCCURRENCE = "occurrence:";

    /** Returns the number of occurrences. */
    long run(Map<String, Instant> first) {
        return jobs.schedules().stream()
                .mapToLong(schedule -> check(schedule, Objects.requireNonNull(first.get(schedule.name()))))
                .sum();
    }

    private long check(ScheduleView schedule, Instant first) {
        List<Instant> times = found.values().stream()
                .filter(job -> job.tags().contains("schedule:" + schedule.name()))
                .flatMap(job -> job.tags().stream())
                .filter(tag -> tag.startsWith(OCCURRENCE))
                .map(tag -> Instant.parse(tag.substring(OCCURRENCE.length())))
                .sorted()
                .toList();
        if (times.isEmpty() || !times.get(0).equals(first)) {
            violations.add("schedule " + schedule.name() + " begins at " + times + " instead of " + first);
            return 0;
        }
        for (int i = 1; i < times.size(); i++) {
            if (!times.get(i).equals(times.get(i - 1).plus(Duration.ofSeconds(1)))) {
                violations.add("schedule " + schedule.name() + ": " + times.get(i) + " follows " + times.get(i - 1));
            }
        }
        Instant last = schedule.last().orElse(Instant.MAX);
        if (times.get(times.size() - 1).isBefore(last)) {
            violations.add("schedule " + schedule.name() + " has no job for its last occurrence " + last);
        }
        return times.size();
    }
}
