package dev.jono.internal.claim;

import java.util.List;

/**
 * A call or a worker that waits for messages of a queue.
 *
 * <p>{@link WaitingConsumers} and {@link ClaimLoop} call it, on the threads of callers, the storage and timers, without their
 * lock. There are two exceptions. {@link #demand} is always called with the lock held. {@link #terms}, {@link #isWorker},
 * {@link #isOneShot} and {@link #hasBlockedThread} are called with or without the lock: they must only
 * read.
 */
public abstract class Waiter {
    /** The number of the waiter in the order of arrival; guarded by the lock of {@link WaitingConsumers}. */
    long arrival;

    /** Whether the waiter is part of a claim that is not handed out yet; guarded by the same lock. */
    boolean inClaim;

    /** The terms on which the waiter wants messages. */
    protected abstract ClaimTerms terms();

    /**
     * How many messages the waiter wants now. Called with the lock of {@link WaitingConsumers} held, when a claim is made or
     * messages are left over. A demand above 0 is answered by one call of {@link #accept}, {@link #notServed} or {@link
     * #failed}. If a take is late, {@link #failed} is called on the callers at once, and the answer can still follow.
     */
    protected abstract int demand();

    /**
     * Offers messages to the waiter, no more than it demanded. Must not start new work: see {@link #afterHandOut}.
     *
     * @return whether the waiter accepts them; false if it has ended
     */
    protected abstract boolean accept(List<HeldMessage> messages);

    /**
     * Called after the messages of a claim were handed out, if {@link #accept} returned true, and on workers after {@link
     * #notServed}. The next claim can be in flight already. Here the waiter wakes its caller and starts new work.
     */
    protected abstract void afterHandOut();

    /** The claim brought no message for the waiter, which continues to wait. */
    protected void notServed() {}

    /**
     * The queue has no due message, or is paused. Called on one-shot waiters, which were removed from the line, and on workers
     * that were not part of the claim.
     */
    protected abstract void queueEmpty();

    /**
     * The claim for the waiter failed; a caller was removed from the line, a worker stays. Also called on all callers of the
     * queue, which were removed from the line, when a take is late.
     */
    protected abstract void failed(RuntimeException failure);

    /** Whether the waiter continues to wait after it was given messages, and after a failure. */
    protected boolean isWorker() {
        return false;
    }

    /** Whether the waiter ends at once if the queue has no due message. */
    protected boolean isOneShot() {
        return false;
    }

    /** Whether a thread is blocked until {@link #afterHandOut}, {@link #queueEmpty} or {@link #failed} wakes it. */
    boolean hasBlockedThread() {
        return false;
    }

    /** The queue was paused or resumed. */
    protected void pauseChanged(boolean paused) {}
}
