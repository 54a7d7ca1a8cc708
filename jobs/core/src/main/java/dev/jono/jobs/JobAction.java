package dev.jono.jobs;

/** A step of a job without a result. See {@link JobRun#step(String, JobAction)}. */
@FunctionalInterface
public interface JobAction {
    /** Runs the step. */
    void run() throws Exception;
}
