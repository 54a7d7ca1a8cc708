package dev.jono.jobs;

import dev.jono.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a job keeps its unique key. While it does, another job of the type with the same key is a duplicate and is not enqueued. A key
 * is also free if its job is gone, for example because a process died between two steps. Immutable.
 */
public final class UniqueMode {
    /** Until the first run begins: at most one job with the key waits. */
    public static final UniqueMode UNTIL_STARTED = new UniqueMode(null);

    /** Until the job has ended: at most one job with the key waits or runs. */
    public static final UniqueMode UNTIL_DONE = new UniqueMode(null);

    /**
     * Until the first run begins, and a duplicate gives the waiting job its payload: at most one job with the key runs, and at most one
     * waits, with the newest payload. Of enqueues at the same time, the payload that is stored last counts. The waiting job keeps its
     * due time, tags and other options.
     *
     * <ul>
     *   <li>The key is the ordering key too, so a waiting job starts after the running one has ended, its retries included. The type of
     *       the runner must have this mode or {@linkplain JobType#key ordering keys}. Another ordering key, a priority, and a {@link
     *       JobType#limitPerKey} of more than 1 are refused.
     *   <li>A payload has up to 128 KiB. The job store keeps the payload of a duplicate as its codec has encoded it: interceptors do not
     *       see it.
     *   <li>A job of another mode that has the key loses it, because it cannot take a payload. The new job is enqueued.
     * </ul>
     */
    public static final UniqueMode LATEST = new UniqueMode(null);

    private final @Nullable Duration window;

    private UniqueMode(@Nullable Duration window) {
        this.window = window;
    }

    /**
     * For this time after the enqueue, whatever becomes of the job: at most one job with the key is enqueued within the time.
     *
     * @throws IllegalArgumentException if it is less than a millisecond, or longer than ten years
     */
    public static UniqueMode within(Duration window) {
        return new UniqueMode(Durations.positive(window, "window"));
    }

    /** The time after the enqueue; null if the state of the job decides. */
    public @Nullable Duration window() {
        return window;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (other instanceof UniqueMode mode && window != null && window.equals(mode.window));
    }

    @Override
    public int hashCode() {
        return window == null ? System.identityHashCode(this) : window.hashCode();
    }

    @Override
    public String toString() {
        if (window != null) {
            return "within " + Durations.format(window);
        }
        return this == LATEST ? "latest" : this == UNTIL_STARTED ? "until started" : "until done";
    }
}
