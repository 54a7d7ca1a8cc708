package dev.jono.jobs;

import org.jspecify.annotations.Nullable;

/**
 * The progress of a job.
 *
 * @param done the completed part, in units of the job; 0 or more
 * @param total the whole work, in the same units; 1 or more
 * @param data further data of the job, as JSON; null if there is none
 */
public record JobProgress(long done, long total, @Nullable String data) {
    /** The completed part in percent, at most 100. */
    public int percent() {
        return total <= 0 ? 0 : (int) Math.min(100, 100.0 * done / total);
    }
}
