package dev.jono.internal.claim;

import java.util.List;

/**
 * A call or a worker that waits for messages of a queue. Called by {@link WaitingConsumers} and {@link ClaimLoop}, on the
 * threads of callers, the storage and timers; without their lock, unless a method says otherwise.
 */
public abstract class Waiter {
    /** Its number in the order of arrival; guarded by the lock of {@link WaitingConsumers}. */
    long arrival;

    /** Whether it is part of a claim that is not handed out yet; guarded by the same lock. */
    boolean inClaim;

    /** The terms on which it wants messages. */
    protected abstract ClaimTerms terms();

    /**
     * How many messages it wants now. Called with the lock of {@link WaitingConsumers} held, when a claim is made. A demand
     * above 0 is answered by exactly one call of {@link #accept}, {@link #nothingForYou} or {@link #failed}.
     */
    protected abstract int demand();

    /**
     * Hands it messages, no more than it demanded.
     *
     * @return whether it took them; false if it has ended meanwhile
     */
    protected abstract boolean accept(List<HeldMessage> messages);

    /**
     * Follows an {@link #accept} that it took, and a {@link #nothingForYou} of a worker, when the claim is over and the
     * next one may be in flight. Now it wakes its caller, and begins what claims again.
     */
    protected abstract void afterHandOut();

    /** The claim that was made for it brought nothing for it; it continues to wait. */
    protected abstract void nothingForYou();

    /**
     * The queue has nothing now. Called on a one-shot waiter, which has been removed from the line, and on a worker after a
     * claim that was not made for it.
     */
    protected abstract void queueEmpty();

    /** The claim that was made for it failed. It has been removed from the line, unless it is a worker. */
    protected abstract void failed(RuntimeException failure);

    /** Whether it continues to wait after it was given messages, and after a failure. */
    protected abstract boolean isWorker();

    /** Whether it ends at once when there is nothing, instead of waiting. */
    protected abstract boolean isOneShot();

    /** Whether {@link #afterHandOut} and {@link #queueEmpty} wake a thread. */
    boolean blocksThread() {
        return false;
    }

    /** The queue was paused or resumed. */
    protected void pauseChanged(boolean paused) {}
}
