package dev.jono.jobs;

/**
 * A snapshot of a {@link JobBatch}.
 *
 * @param name its name
 * @param state its state
 * @param added how many jobs were enqueued in it
 * @param succeeded how many of them have succeeded
 * @param failed how many have failed at their last attempt
 * @param cancelled how many were cancelled or removed
 * @param expired how many have expired
 */
public record BatchView(
        String name, State state, long added, long succeeded, long failed, long cancelled, long expired) {
    /** The state of a batch. */
    public enum State {
        /** It is not closed. */
        OPEN,
        /** It is closed, and some of its jobs have not ended. */
        CLOSED,
        /** All its jobs have succeeded. */
        SUCCEEDED,
        /** All its jobs have ended, and some have not succeeded. */
        FAILED;

        /** Whether the batch is complete. */
        public boolean isComplete() {
            return this == SUCCEEDED || this == FAILED;
        }
    }

    /** How many jobs have ended. */
    public long ended() {
        return succeeded + failed + cancelled + expired;
    }
}
