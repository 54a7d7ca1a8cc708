package dev.jono.internal.claim;

import dev.jono.JonoClock;
import dev.jono.StorageException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One call of pop or reserve. It ends once: with messages, without a message, or with a failure. It does not accept messages
 * that are offered after its end. Created on the thread of the caller; ended by claims, timers and cancellations, on any
 * thread. Thread-safe.
 */
public final class CallWaiter extends Waiter {
    /** The queue object whose call it is: {@link WaitingConsumers#cancel} ends all waits of one owner. */
    final Object owner;

    private final WaitingConsumers consumers;
    private final ClaimTerms terms;
    private final int max;
    private final boolean oneShot;
    private final boolean hasBlockedThread;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final String queue;
    private final long waitNanos;
    private volatile JonoClock.@Nullable Timer timer;
    private volatile List<HeldMessage> accepted = List.of();

    /** Completes with the accepted messages; with an empty list if the wait ended without a message. */
    public final CompletableFuture<List<HeldMessage>> result = new CompletableFuture<>();

    /**
     * A waiter; {@link #start} begins the wait.
     *
     * @param max the maximum number of messages
     * @param oneShot whether the call ends at once if the queue has no due message
     * @param hasBlockedThread whether a thread is blocked until the call ends
     * @param waitNanos the longest wait; for a one-shot waiter, the time limit for the answer of the storage
     */
    public CallWaiter(
            Object owner,
            WaitingConsumers consumers,
            String queue,
            ClaimTerms terms,
            int max,
            boolean oneShot,
            boolean hasBlockedThread,
            long waitNanos) {
        this.owner = owner;
        this.consumers = consumers;
        this.queue = queue;
        this.terms = terms;
        this.max = max;
        this.oneShot = oneShot;
        this.hasBlockedThread = hasBlockedThread;
        this.waitNanos = waitNanos;
    }

    /** Begins to wait. */
    public void start() {
        consumers.add(this);
        if (!ended.get()) {
            timer = consumers.clock().schedule(waitNanos, this::timedOut);
        }
        if (ended.get()) {
            // A cancellation found nothing to remove, or no timer to cancel.
            consumers.remove(this);
            cancelTimer();
        }
    }

    /** Ends the wait; false if it has ended before. */
    private boolean end() {
        boolean first = ended.compareAndSet(false, true);
        if (first) {
            cancelTimer();
        }
        return first;
    }

    private void cancelTimer() {
        JonoClock.Timer set = timer;
        if (set != null) {
            set.cancel();
        }
    }

    /** Ends the wait without a message; returns false if it has ended before. */
    public boolean cancel() {
        if (!end()) {
            return false;
        }
        consumers.remove(this);
        result.complete(List.of());
        return true;
    }

    private void timedOut() {
        if (oneShot) {
            consumers.remove(this);
            failed(new StorageException(
                    "the storage of queue '" + queue
                            + "' did not answer in time; messages of a later answer are given back",
                    queue,
                    null,
                    null));
        } else {
            cancel();
        }
    }

    @Override
    protected ClaimTerms terms() {
        return terms;
    }

    @Override
    protected int demand() {
        return ended.get() ? 0 : max;
    }

    @Override
    protected boolean accept(List<HeldMessage> messages) {
        if (!end()) {
            return false;
        }
        accepted = List.copyOf(messages);
        return true;
    }

    @Override
    protected void afterHandOut() {
        result.complete(accepted);
    }

    @Override
    protected void queueEmpty() {
        if (end()) {
            result.complete(List.of());
        }
    }

    @Override
    protected void failed(RuntimeException failure) {
        if (end()) {
            result.completeExceptionally(failure);
        }
    }

    @Override
    protected boolean isOneShot() {
        return oneShot;
    }

    @Override
    boolean hasBlockedThread() {
        return hasBlockedThread;
    }
}
