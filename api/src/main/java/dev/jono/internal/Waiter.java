package dev.jono.internal;

import java.util.List;

/** Somebody who wants messages of a queue. Called by {@link Intake}, never with its lock held except where said. */
interface Waiter {
    /** On what terms. */
    Terms terms();

    /**
     * How many it wants now. Called with the intake's lock held, when a claim is made; an answer above 0 is followed by
     * exactly one {@link #give}, {@link #unclaimed} or {@link #failed}.
     */
    int want();

    /**
     * Hands it messages, as many as it wanted at most.
     *
     * @return whether it took them; false if it has ended meanwhile
     */
    boolean give(List<Delivered> messages);

    /**
     * Follows a {@link #give} that it took, and an {@link #unclaimed} of one that stays, when this claim is over and the
     * next one may have left: the time to wake whoever waits, and to begin what claims again.
     */
    void given();

    /** The claim that it was part of brought nothing for it; it goes on waiting. */
    void unclaimed();

    /**
     * There is nothing now: told to one that {@link #looksOnce}, which has been removed, and to one that {@link #stays}
     * after a claim of which it was no part.
     */
    void empty();

    /** The claim that it was part of failed. It has been removed, unless it {@link #stays}. */
    void failed(RuntimeException failure);

    /** Whether it goes on waiting after it was given something, or after a failure. */
    boolean stays();

    /** Whether it is to be told at once when there is nothing, instead of waiting. */
    boolean looksOnce();

    /** How long it waits at most, in nanoseconds; asked of one that does not {@link #stays}, and always the same. */
    default long waitNanos() {
        return Long.MAX_VALUE;
    }

    /** So much time has passed since it was added. It is to remove itself. */
    default void timedOut() {}

    /** Whether a thread is woken by {@link #given} or {@link #empty}; else what they begin is handed on. */
    default boolean blocks() {
        return false;
    }

    /** The queue was paused or resumed. */
    default void gate(boolean paused) {}
}
