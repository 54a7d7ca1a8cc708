package dev.jono.jobs;

import dev.jono.JonoException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Thrown by {@link JobHandle#await} if the job has failed, was cancelled, has expired or is gone. */
public final class JobNotSucceededException extends JonoException {
    private static final long serialVersionUID = 1L;

    private final @Nullable JobState state;

    /**
     * An exception about a job.
     *
     * @param state the final state; null if the job has neither a message nor a record
     * @param reason the reason of that state; null if it is not known
     */
    public JobNotSucceededException(String id, @Nullable JobState state, @Nullable String reason) {
        super(
                state == null
                        ? "job " + id + " is gone: it was removed, or the retention of its record has ended"
                        : "job " + id + " is " + state + (reason == null ? "" : ": " + reason),
                null,
                id,
                null);
        this.state = state;
    }

    /** The final state; empty if the job has neither a message nor a record. */
    public Optional<JobState> state() {
        return Optional.ofNullable(state);
    }
}
