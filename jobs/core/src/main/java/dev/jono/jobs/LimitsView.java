package dev.jono.jobs;

import java.time.Instant;
import java.util.Optional;

/**
 * Whether the limit and the rate of a type keep jobs from starting, as its runners have last stored it.
 *
 * @param full whether a runner would start jobs now, and must not because {@link JobType#limit} is reached
 * @param nextStart when the next job can start, by the storage's clock, because {@link JobType#rate} is used up; otherwise
 *     empty
 */
public record LimitsView(boolean full, Optional<Instant> nextStart) {}
