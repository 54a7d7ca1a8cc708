package dev.jono.jobs;

/**
 * The state of a job. Until the job ends, its state is derived from its message. The state of an ended job is in its
 * record.
 */
public enum JobState {
    /** Waits for its due time, and has not run yet. */
    SCHEDULED,
    /** Has failed at least once, and waits for its next attempt. */
    RETRYING,
    /** Is due, and waits for a runner. */
    WAITING,
    /**
     * Cannot start yet because of an earlier job of its key, a job that it starts after, or a pause of its type. A job that starts after
     * others is {@link #WAITING} until a runner has looked at them.
     */
    BLOCKED,
    /** Is being run. */
    RUNNING,
    /** Has failed at its last attempt. Its message is in the dead-letter queue of its type; the job can be retried. */
    FAILED,
    /** Has succeeded. */
    SUCCEEDED,
    /** Was cancelled. */
    CANCELLED,
    /** Did not start within the time that its type allows. */
    EXPIRED;

    /** Whether this state is final. A {@link #FAILED} job runs again only after {@link Jobs#retry}. */
    public boolean isEnded() {
        return compareTo(FAILED) >= 0;
    }
}
