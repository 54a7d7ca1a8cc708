package dev.jono.jobs.spi;

/**
 * A line of a job's log.
 *
 * @param timeMillis when it was logged, by the clock of the runner
 * @param attempt the number of the run that logged it
 * @param text the line
 */
public record LogLine(long timeMillis, int attempt, String text) {}
