package dev.jono.spring.jobs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the runner of job methods.
 *
 * @param concurrency the maximum number of jobs that run at the same time
 * @param lease the length of the lease of a running job; null for that of the factory's queues
 * @param name the name of the runner; null for {@code PID@HOST}
 * @param strictPriorities whether a job starts only if none of a higher priority is due
 * @param autoStartup whether it starts with the application
 */
public record JobRunnerSettings(
        int concurrency,
        @Nullable Duration lease,
        @Nullable String name,
        boolean strictPriorities,
        boolean autoStartup) {}
