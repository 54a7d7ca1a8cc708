package dev.jono.internal.claim;

import dev.jono.internal.concurrent.SharedTimeouts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Somebody who wants messages of a queue. Called by {@link WaitingConsumers} and {@link ClaimLoop}, never with their lock held except where said. */
public abstract class Waiter extends SharedTimeouts.TimedWaiter {
    /** Its place in the line, the last one if it has none now; guarded by the intake's lock. */
    WaitingLine.@Nullable Position position;

    /** On what terms. */
    protected abstract ClaimTerms terms();

    /**
     * How many it wants now. Called with the intake's lock held, when a claim is made; an answer above 0 is followed by
     * exactly one {@link #accept}, {@link #nothingForYou} or {@link #failed}.
     */
    protected abstract int demand();

    /**
     * Hands it messages, as many as it wanted at most.
     *
     * @return whether it took them; false if it has ended meanwhile
     */
    protected abstract boolean accept(List<HeldMessage> messages);

    /**
     * Follows a {@link #accept} that it took, and an {@link #nothingForYou} of one that stays, when this claim is over and the
     * next one may have left: the time to wake whoever waits, and to begin what claims again.
     */
    protected abstract void afterHandOut();

    /** The claim that it was part of brought nothing for it; it goes on waiting. */
    protected abstract void nothingForYou();

    /**
     * There is nothing now: told to one that {@link #isOneShot}, which has been removed, and to one that {@link #isWorker}
     * after a claim of which it was no part.
     */
    protected abstract void queueEmpty();

    /** The claim that it was part of failed. It has been removed, unless it {@link #isWorker}. */
    protected abstract void failed(RuntimeException failure);

    /** Whether it goes on waiting after it was given something, or after a failure. */
    protected abstract boolean isWorker();

    /** Whether it is to be told at once when there is nothing, instead of waiting. */
    protected abstract boolean isOneShot();

    /** Asked of one that does not {@link #isWorker}. */
    @Override
    protected long waitNanos() {
        return Long.MAX_VALUE;
    }

    /** It is to remove itself. */
    @Override
    protected void timedOut() {}

    /** Whether a thread is woken by {@link #afterHandOut} or {@link #queueEmpty}; else what they begin is handed on. */
    boolean blocksThread() {
        return false;
    }

    /** The queue was paused or resumed. */
    protected void pauseChanged(boolean paused) {}
}
