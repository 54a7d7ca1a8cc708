package dev.jono.jobs;

/** What a job does if one of the jobs before it has failed, was cancelled, or has expired. See {@link EnqueueOptions#after}. */
public enum AfterFailure {
    /** It waits until the other job is retried and succeeds. */
    WAIT,
    /** It is cancelled. */
    CANCEL,
    /** It runs. */
    RUN
}
