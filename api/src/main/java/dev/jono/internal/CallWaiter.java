package dev.jono.internal;

import dev.jono.StorageException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One call of pop or reserve. It ends once: with messages, empty, or with a failure. Messages that come after its end
 * are refused, so that the intake gives them to another or back.
 */
final class CallWaiter extends Waiter {
    /** Who may end it together with all its other waits. */
    final Object owner;

    private final WaitingConsumers intake;
    private final ClaimTerms terms;
    private final int max;
    private final boolean looksOnce;
    private final boolean blocks;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final String queue;
    private final long waitNanos;
    private volatile List<HeldMessage> taken = List.of();

    /** Completes with what it was given; empty when the wait ended. */
    final CompletableFuture<List<HeldMessage>> result = new CompletableFuture<>();

    /**
     * One that has not begun.
     *
     * @param waitNanos the longest wait; of one that looks once, how long the storage may take to answer
     */
    CallWaiter(
            Object owner,
            WaitingConsumers intake,
            String queue,
            ClaimTerms terms,
            int max,
            boolean looksOnce,
            boolean blocks,
            long waitNanos) {
        this.owner = owner;
        this.intake = intake;
        this.queue = queue;
        this.terms = terms;
        this.max = max;
        this.looksOnce = looksOnce;
        this.blocks = blocks;
        this.waitNanos = waitNanos;
    }

    /** Begins to wait. */
    void start() {
        intake.add(this);
        if (ended.get()) {
            // Perhaps cancelled before it was there to be removed.
            intake.remove(this);
        }
    }

    /** Ends the wait; returns whether this call ended it. */
    boolean cancel() {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        intake.remove(this);
        result.complete(List.of());
        return true;
    }

    @Override
    long waitNanos() {
        return waitNanos;
    }

    @Override
    void timedOut() {
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
    }

    @Override
    ClaimTerms terms() {
        return terms;
    }

    @Override
    int want() {
        return ended.get() ? 0 : max;
    }

    @Override
    boolean give(List<HeldMessage> messages) {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        taken = List.copyOf(messages);
        return true;
    }

    @Override
    void given() {
        result.complete(taken);
    }

    @Override
    void unclaimed() {}

    @Override
    void empty() {
        if (ended.compareAndSet(false, true)) {
            result.complete(List.of());
        }
    }

    @Override
    void failed(RuntimeException failure) {
        if (ended.compareAndSet(false, true)) {
            result.completeExceptionally(failure);
        }
    }

    @Override
    boolean stays() {
        return false;
    }

    @Override
    boolean looksOnce() {
        return looksOnce;
    }

    @Override
    boolean blocks() {
        return blocks;
    }
}
