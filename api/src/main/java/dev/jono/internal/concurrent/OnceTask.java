package dev.jono.internal.concurrent;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A task that runs at most once. For executors that can throw although they run the task: the scheduler of virtual threads
 * queues a task before it fails to start a carrier thread for it. Called on any thread. Thread-safe.
 */
public final class OnceTask implements Runnable {
    private final Runnable task;
    private final AtomicBoolean taken = new AtomicBoolean();

    public OnceTask(Runnable task) {
        this.task = task;
    }

    /**
     * Returns true for one caller, unless the task has run. The task then does not run any more, and the caller does the work in
     * its place.
     */
    public boolean takeOver() {
        return taken.compareAndSet(false, true);
    }

    @Override
    public void run() {
        if (takeOver()) {
            task.run();
        }
    }
}
