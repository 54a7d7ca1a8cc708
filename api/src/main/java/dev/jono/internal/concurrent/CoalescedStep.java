package dev.jono.internal.concurrent;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A step that runs once for several requests. Requests of callbacks share one run, which comes after the callbacks that are
 * queued already. On any other thread, and where no callback is queued, a request runs the step at once. After each request
 * the step runs at least once. Called by lanes and waiting consumers on the threads of callers. Thread-safe.
 */
public final class CoalescedStep {
    private final CallbackExecutor callbacks;
    private final Runnable step;
    private final AtomicBoolean planned = new AtomicBoolean();

    public CoalescedStep(CallbackExecutor callbacks, Runnable step) {
        this.callbacks = callbacks;
        this.step = step;
    }

    public void request() {
        if (planned.compareAndSet(false, true)) {
            callbacks.runAfterQueued(() -> {
                planned.set(false);
                step.run();
            });
        }
    }
}
