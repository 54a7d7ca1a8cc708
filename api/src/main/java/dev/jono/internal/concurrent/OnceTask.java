package dev.jono.internal.concurrent;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A task that runs at most once. For executors that may throw although they have accepted the task: the scheduler of
 * virtual threads queues a task before it fails to start a carrier thread for it. Thread-safe.
 */
public final class OnceTask implements Runnable {
    private final Runnable task;
    private final AtomicBoolean claimed = new AtomicBoolean();

    public OnceTask(Runnable task) {
        this.task = task;
    }

    /** Takes the task: true for one caller, which alone may do the work. The task itself then does not run. */
    public boolean claim() {
        return claimed.compareAndSet(false, true);
    }

    @Override
    public void run() {
        if (claim()) {
            task.run();
        }
    }
}
