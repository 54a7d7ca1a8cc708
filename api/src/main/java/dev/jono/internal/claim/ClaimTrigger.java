package dev.jono.internal.claim;

import dev.jono.JonoClock;
import dev.jono.internal.runtime.EngineContext;
import org.jspecify.annotations.Nullable;

/**
 * Why a queue is to be looked at: somebody came who has not looked, a claim came back full, a signal, a timer, or a probe
 * says that something is due. Changed under the lock of the {@link WaitingConsumers} alone.
 */
final class ClaimTrigger {
    private final EngineContext context;

    private volatile boolean set;

    /** Storage time at which there is one without a further event; {@code Long.MAX_VALUE} for never. */
    private long nextMillis = Long.MAX_VALUE;

    private JonoClock.@Nullable Timer timer;

    private long timerMillis = Long.MAX_VALUE;

    ClaimTrigger(EngineContext context) {
        this.context = context;
    }

    /** Whether there is one now. Needs no lock. */
    boolean isSet() {
        return set;
    }

    /** There is one now. */
    void set() {
        set = true;
    }

    /** There will be one at this time by the storage's clock; if that is over, there is. */
    void setAt(long millis) {
        if (millis <= context.storageClock.nowMillis()) {
            set = true;
        } else {
            setNotBefore(millis);
        }
    }

    /** The timer gives one at this time by the storage's clock. */
    void setNotBefore(long millis) {
        nextMillis = Math.min(nextMillis, millis);
    }

    /** Somebody looks: there is none until the next event. */
    void consume() {
        set = false;
        nextMillis = Long.MAX_VALUE;
    }

    /** Sets the timer for what is due next. */
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

    /** Nobody waits any more. */
    void disarm() {
        if (timer != null) {
            timer.cancel();
            timer = null;
            timerMillis = Long.MAX_VALUE;
        }
    }
}
