package dev.jono.internal.claim;

import dev.jono.JonoClock;
import dev.jono.internal.runtime.EngineContext;
import org.jspecify.annotations.Nullable;

/**
 * Whether there is a reason to make a claim: a new waiter, a claim that brought as many messages as it asked for, a signal, a
 * due time, or a probe. Used by {@link WaitingConsumers} and {@link ClaimState}, with their lock held except for {@link
 * #isSet}.
 */
final class ClaimTrigger {
    /** About 35 years: a longer delay would not fit into nanoseconds. */
    private static final long MAX_DELAY_MILLIS = 1L << 40;

    private final EngineContext context;

    private volatile boolean set;

    /**
     * The time, by the storage's clock, at which there is a reason without a further event; {@code Long.MAX_VALUE} for
     * never.
     */
    private long nextMillis = Long.MAX_VALUE;

    private JonoClock.@Nullable Timer timer;

    /** When the timer fires, by the storage's clock; {@code Long.MAX_VALUE} if none is set. */
    private long timerMillis = Long.MAX_VALUE;

    ClaimTrigger(EngineContext context) {
        this.context = context;
    }

    /** Whether there is a reason now. Needs no lock. */
    boolean isSet() {
        return set;
    }

    /** There is a reason now. */
    void set() {
        set = true;
    }

    /** There is a reason from this time on, by the storage's clock; at once if the time is past. */
    void setAt(long millis) {
        if (millis <= context.storageClock.nowMillis()) {
            set = true;
        } else {
            setNotBefore(millis);
        }
    }

    /** Only the timer gives a reason, at this time by the storage's clock, even if the time is past. */
    void setNotBefore(long millis) {
        nextMillis = Math.min(nextMillis, millis);
    }

    /** A claim is made now: there is no reason until the next event. */
    void consume() {
        set = false;
        nextMillis = Long.MAX_VALUE;
    }

    /** Sets the timer for the next due time, unless a timer for that time or an earlier one is set. */
    void arm(Runnable fired) {
        if (nextMillis >= timerMillis) {
            return;
        }
        if (timer != null) {
            timer.cancel();
        }
        timer = null;
        timerMillis = Long.MAX_VALUE;
        long delay = Math.max(0, nextMillis - context.storageClock.nowMillis());
        timer = context.clock.schedule(Math.min(delay, MAX_DELAY_MILLIS) * 1_000_000, fired);
        timerMillis = nextMillis;
    }

    /** The timer has fired. */
    void timerFired() {
        timer = null;
        timerMillis = Long.MAX_VALUE;
        consume();
        set = true;
    }

    /** The last waiter has ended: cancels the timer. */
    void disarm() {
        if (timer != null) {
            timer.cancel();
            timer = null;
            timerMillis = Long.MAX_VALUE;
        }
    }
}
