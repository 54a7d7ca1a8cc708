package dev.jono.spring.jobs;

import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import java.time.ZoneId;

/**
 * A schedule that the application declares when its runner starts.
 *
 * @param name its name
 * @param cron the expression
 * @param zone its time zone
 * @param type the type of its jobs
 * @param payload their payload
 * @param skipMissed whether missed occurrences are skipped
 * @param <P> the type of the payload
 */
public record ScheduleDefinition<P>(
        String name, String cron, ZoneId zone, JobType<P, ?> type, P payload, boolean skipMissed) {
    void declare(Jobs jobs) {
        jobs.schedule(name, cron, zone, type, payload, options -> skipMissed ? options.skipMissed() : options);
    }
}
