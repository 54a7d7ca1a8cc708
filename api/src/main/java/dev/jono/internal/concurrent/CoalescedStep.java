package dev.jono.internal.concurrent;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A step that is done once for all callbacks that ask for it one after the other, when those that wait already have run;
 * asked for by another thread it is done at once. Done at least once after each asking.
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
