package dev.jono.jobs;

import dev.jono.Durations;
import dev.jono.JonoException;
import java.time.Duration;

/** Thrown by {@link JobHandle#await} if the job has not ended within the timeout. The job continues. */
public final class JobTimeoutException extends JonoException {
    private static final long serialVersionUID = 1L;

    /** An exception for a job that did not end within this timeout. */
    public JobTimeoutException(String id, Duration timeout) {
        super("job " + id + " has not ended within " + Durations.format(timeout), null, id, null);
    }
}
