package dev.jono.jobs.spi;

/** The state of a job's record. */
public enum RecordState {
    /** The job has not ended; its message decides its state. */
    OPEN,
    /** It has failed for the last time. */
    FAILED,
    /** It has succeeded. */
    SUCCEEDED,
    /** It was cancelled. */
    CANCELLED,
    /** It did not start within the time that its type allows. */
    EXPIRED;

    /** Whether the job has ended. */
    public boolean isEnded() {
        return this != OPEN;
    }
}
