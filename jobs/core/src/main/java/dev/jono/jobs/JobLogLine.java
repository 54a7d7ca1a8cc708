package dev.jono.jobs;

import java.time.Instant;

/**
 * A line of the log of a job.
 *
 * @param time when it was logged, by the clock of the runner
 * @param attempt the number of the run that logged it
 * @param text the line
 */
public record JobLogLine(Instant time, int attempt, String text) {}
