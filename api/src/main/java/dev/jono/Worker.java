package dev.jono;

import java.time.Duration;

/** Takes messages from queues and runs handlers, until it is stopped, or its factory is closed. Thread-safe. */
public interface Worker extends AutoCloseable {
    /** What it is doing. */
    WorkerStatus status();

    /**
     * Stops in stages: claims nothing more; gives back uncounted what was not started; waits for the running handlers;
     * at the end of the time interrupts them, and gives back uncounted what they still hold; waits until all of that is
     * stored. Idempotent. Called by one of its own handlers, it does not wait for that one.
     *
     * @param timeout how long running handlers may take
     * @return whether all handlers ended by themselves
     */
    boolean stop(Duration timeout);

    /** {@link #stop} with 30 s. */
    @Override
    void close();
}
