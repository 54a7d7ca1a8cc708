package dev.jono.jobs.spi;

import org.jspecify.annotations.Nullable;

/**
 * The stored record of a job.
 *
 * @param id the job
 * @param type the name of its type
 * @param state the state of the record
 * @param attempt the number of the run that wrote it last
 * @param document the content as JSON, which the store does not read
 * @param changedMillis the time of the last write, by the storage's clock; for an ended job, the time of its end
 * @param keepUntilMillis the end of its retention, by the storage's clock; null for no limit
 */
public record StoredRecord(
        String id,
        String type,
        RecordState state,
        int attempt,
        String document,
        long changedMillis,
        @Nullable Long keepUntilMillis) {}
