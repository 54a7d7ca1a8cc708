package dev.jono.internal.concurrent;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A step that runs once for several requests. Callbacks that request it one after the other share one run, after the
 * callbacks that are queued already. A request of any other thread runs it at once. After each request the step runs at
 * least once.
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
