package dev.jono.jobs;

import org.jspecify.annotations.Nullable;

/** A step of a job with a result. See {@link JobRun#step(String, Class, JobStep)}. */
@FunctionalInterface
public interface JobStep<T> {
    /** Runs the step; returns its result. */
    @Nullable T run() throws Exception;
}
