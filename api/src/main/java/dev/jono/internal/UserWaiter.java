package dev.jono.internal;

import dev.jono.JonoClock;
import dev.jono.StorageException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One call of pop or reserve. It ends once: with messages, empty, or with a failure. Messages that come after its end
 * are refused, so that the intake gives them to another or back.
 */
final class UserWaiter implements Waiter {
    private final Intake intake;
    private final Terms terms;
    private final int max;
    private final boolean looksOnce;
    private final boolean blocks;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile JonoClock.@Nullable Timer timer;
    private volatile List<Delivered> taken = List.of();

    /** Completes with what it was given; empty when the wait ended. */
    final CompletableFuture<List<Delivered>> result = new CompletableFuture<>();

    UserWaiter(Intake intake, Terms terms, int max, boolean looksOnce, boolean blocks) {
        this.intake = intake;
        this.terms = terms;
        this.max = max;
        this.looksOnce = looksOnce;
        this.blocks = blocks;
    }

    /**
     * Begins to wait.
     *
     * @param waitNanos the longest wait; of one that looks once, how long the storage may take to answer
     */
    void start(JonoClock clock, String queue, long waitNanos) {
        intake.add(this);
        if (ended.get()) {
            // Perhaps cancelled before it was there to be removed.
            intake.remove(this);
        }
        if (!result.isDone()) {
            JonoClock.Timer limit = clock.schedule(waitNanos, () -> {
                if (looksOnce) {
                    intake.remove(this);
                    failed(new StorageException(
                            "the storage of queue '" + queue
                                    + "' did not answer in time; what it may yet hand out is given back",
                            queue,
                            null,
                            null));
                } else {
                    cancel();
                }
            });
            timer = limit;
            if (result.isDone()) {
                limit.cancel();
            }
        }
    }

    /** Ends the wait; returns whether this call ended it. */
    boolean cancel() {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        intake.remove(this);
        finish(List.of());
        return true;
    }

    private void finish(List<Delivered> messages) {
        stopTimer();
        result.complete(messages);
    }

    private void stopTimer() {
        JonoClock.Timer running = timer;
        if (running != null) {
            running.cancel();
        }
    }

    @Override
    public Terms terms() {
        return terms;
    }

    @Override
    public int want() {
        return ended.get() ? 0 : max;
    }

    @Override
    public boolean give(List<Delivered> messages) {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        taken = List.copyOf(messages);
        return true;
    }

    @Override
    public void given() {
        finish(taken);
    }

    @Override
    public void unclaimed() {}

    @Override
    public void empty() {
        if (ended.compareAndSet(false, true)) {
            finish(List.of());
        }
    }

    @Override
    public void failed(RuntimeException failure) {
        if (ended.compareAndSet(false, true)) {
            stopTimer();
            result.completeExceptionally(failure);
        }
    }

    @Override
    public boolean stays() {
        return false;
    }

    @Override
    public boolean looksOnce() {
        return looksOnce;
    }

    @Override
    public boolean blocks() {
        return blocks;
    }
}
