package dev.jono.jobs;

import java.time.Instant;

/**
 * A job that a runner runs.
 *
 * @param id the id of the job
 * @param attempt the number of the run, 1 for the first
 * @param startedAt when the run began, by the storage's clock
 */
public record RunningJob(String id, int attempt, Instant startedAt) {}
