package dev.jono.internal.claim;

import dev.jono.JonoClock;
import dev.jono.internal.runtime.EngineContext;
import org.jspecify.annotations.Nullable;

/**
 * Whether there is a reason to ask the storage for messages: a new waiter, a claim that came back full, a signal, a due
 * time, or a probe. Changed under the lock of the {@link WaitingConsumers} only.
 */
final class ClaimTrigger {
    private final EngineContext context;

    private volatile boolean set;

    /**
     * The time, by the storage's clock, at which there is a reason without a further event; {@code Long.MAX_VALUE} for
     * never.
     */
    private long nextMillis = Long.MAX_VALUE;

    private JonoClock.@Nullable Timer timer;

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

    /** There is a reason from this time on, by the storage's clock. */
    void setAt(long millis) {
        if (millis <= context.storageClock.nowMillis()) {
            set = true;
        } else {
            setNotBefore(millis);
        }
    }

    /** The timer gives a reason at this time, by the storage's clock, even if that is past. */
    void setNotBefore(long millis) {
        nextMillis = Math.min(nextMillis, millis);
    }

    /** The storage is asked now: there is no reason until the next event. */
    void consume() {
        set = false;
        nextMillis = Long.MAX_VALUE;
    }

    /** Sets the timer for the next due time. */
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
        timer = context.clock.schedule(Math.multiplyExact(Math.min(delay, 1L << 40), 1_000_000L), fired);
        timerMillis = nextMillis;
    }

    /** The timer has fired. */
    void timerFired() {
        timer = null;
        timerMillis = Long.MAX_VALUE;
        consume();
        set = true;
    }

    /** No waiter is left: cancels the timer. */
    void disarm() {
        if (timer != null) {
            timer.cancel();
            timer = null;
            timerMillis = Long.MAX_VALUE;
        }
    }
}
