package dev.jono.internal.claim;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.internal.concurrent.UninterruptibleWait;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.internal.wake.QueueWatch;
import dev.jono.spi.ClaimResult;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The claim in flight of a {@link ClaimLoop}, and what claims have brought. Each method is one step under the lock, which is
 * that of the waiters. None calls the storage or a waiter, except for {@link Waiter#demand}. Thread-safe.
 */
final class ClaimState {
    private final EngineContext context;
    private final QueueWatch watch;
    private final GiveBack giveBack;
    private final ReentrantLock lock;

    /** Signalled when a claim has ended, or messages are back. */
    private final Condition landed;

    @GuardedBy("lock") private final WaitingLine line;

    @GuardedBy("lock") private final ClaimTrigger trigger;

    @GuardedBy("lock") private @Nullable ClaimCall inFlight;

    /** How many claims were made; the number of the last one. */
    @GuardedBy("lock") private long made;

    @GuardedBy("lock") private final AnsweredClaims answered = new AnsweredClaims();

    /** Whether no claim is made until the callers of the last claim have made their next calls. */
    private volatile boolean waitsForCallers;

    /** Creates claims. */
    @FunctionalInterface
    interface Maker {
        ClaimCall make(long number, WaitingLine.Demands demands, long lastArrival);
    }

    /** What is to be done next: send a claim, or notify waiters that there is nothing. */
    record Step(@Nullable ClaimCall claim, List<Waiter> ended) {
        private static final Step NOTHING = new Step(null, List.of());
    }

    /** An answered claim to hand out, and the leftover messages of the one before. */
    record Next(AnsweredClaim claim, List<HeldMessage> leftoverBefore) {}

    /**
     * What follows from handing out.
     *
     * @param ended waiters to notify that there is nothing
     * @param back messages to give back by {@link GiveBack#giveBegun}; null for none
     */
    record HandedOut(List<Waiter> ended, @Nullable List<HeldMessage> back) {}

    /** The state of the claims of one queue. */
    ClaimState(
            EngineContext context,
            QueueWatch watch,
            GiveBack giveBack,
            ReentrantLock lock,
            Condition landed,
            WaitingLine line,
            ClaimTrigger trigger) {
        this.context = context;
        this.watch = watch;
        this.giveBack = giveBack;
        this.lock = lock;
        this.landed = landed;
        this.line = line;
        this.trigger = trigger;
    }

    // ---- claims ---------------------------------------------------------------------------------------------

    /** Whether no claim is in flight, and all that came is handed out. */
    boolean isIdle() {
        return isHandedOut(Long.MAX_VALUE - 1);
    }

    /** Whether the claims up to this number have ended, and what they brought is handed out. */
    private boolean isHandedOut(long last) {
        lock.lock();
        try {
            return answered.oldest(inFlight) > last;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the claims that were made so far have ended, and what they brought is handed out or back. */
    boolean awaitLanded(long deadlineNanos) {
        lock.lock();
        try {
            long last = made;
            return UninterruptibleWait.until(
                    landed, context.clock, deadlineNanos, () -> isHandedOut(last) && !giveBack.any());
        } finally {
            lock.unlock();
        }
    }

    /** The callers of the last claim have made their next calls. */
    void callersHaveBegun() {
        waitsForCallers = false;
    }

    void timerFired() {
        lock.lock();
        try {
            trigger.timerFired();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes a claim if there is a reason and a waiter that wants messages; otherwise sets the timer for the next reason.
     *
     * @param timerFired is called when the timer fires
     */
    Step next(Maker maker, Runnable timerFired) {
        lock.lock();
        try {
            // Once the factory closes, messages that come could not go back.
            if (context.closed() || inFlight != null || !answered.allowNext() || giveBack.any() || waitsForCallers) {
                return Step.NOTHING;
            }
            if (watch.paused()) {
                return new Step(null, line.removeOneShots(Long.MAX_VALUE));
            }
            if (!watch.open()) {
                return Step.NOTHING;
            }
            if (trigger.isSet()) {
                return new Step(make(maker), List.of());
            }
            if (!line.isEmpty()) {
                trigger.arm(timerFired);
            }
            return Step.NOTHING;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private @Nullable ClaimCall make(Maker maker) {
        AnsweredClaim last = answered.first();
        WaitingLine.Demands demands =
                line.demands(context.traits.maxBatch(), terms -> last == null || last.mayBeFollowedBy(terms));
        if (demands == null) {
            return null;
        }
        line.enterClaim(demands.each());
        trigger.consume();
        ClaimCall claim = maker.make(++made, demands, line.arrivals());
        inFlight = claim;
        return claim;
    }

    /** A claim was answered. */
    void brought(ClaimCall claim, ClaimResult result) {
        boolean exhausted = result.size() < claim.max && (result.nextMillis() > 0 || result.size() == 0);
        lock.lock();
        try {
            boolean nextWaits = !exhausted && nextWaits(claim, result.size());
            inFlight = null;
            answered.add(new AnsweredClaim(claim, result, exhausted, nextWaits));
            if (!exhausted) {
                trigger.set();
            } else if (result.nextMillis() != ClaimResult.NONE) {
                trigger.setNotBefore(result.storageMillis() + Math.max(1, result.nextMillis()));
            }
            waitsForCallers = nextWaits;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the next claim waits until the callers of this one have made their next calls, as batches of a lane do. */
    @GuardedBy("lock") private boolean nextWaits(ClaimCall claim, int brought) {
        int served = Demand.served(claim.demands, brought);
        int waiting = line.notInClaim() + claim.demands.size() - served;
        return !line.hasWorkers()
                && waiting > 0
                && context.worthWaitingFor(served, waiting, claim.terms.enough(context.traits))
                && !line.anyBlockedThread();
    }

    // ---- handing out ----------------------------------------------------------------------------------------

    boolean hasAnswer() {
        lock.lock();
        try {
            return answered.first() != null;
        } finally {
            lock.unlock();
        }
    }

    /** The first answered claim, which is to be handed out now; null if there is none. */
    @Nullable Next takeFirst() {
        lock.lock();
        try {
            AnsweredClaim first = answered.first();
            return first == null ? null : new Next(first, answered.removeLeftover());
        } finally {
            lock.unlock();
        }
    }

    /** The demands of all waiters on the terms of a claim that are part of no claim. */
    List<Demand> others(ClaimCall claim) {
        lock.lock();
        try {
            return watch.paused() || !claim.terms.shared() ? List.of() : line.demandsOn(claim.terms);
        } finally {
            lock.unlock();
        }
    }

    /** A claim was handed out: removes the callers that were served, and keeps leftover messages if another claim is in flight. */
    HandedOut handedOut(AnsweredClaim claim, List<Waiter> served, List<HeldMessage> leftover) {
        lock.lock();
        try {
            for (Waiter waiter : served) {
                if (!waiter.isWorker()) {
                    line.remove(waiter); // a waiter that has ended removes itself
                }
            }
            List<Waiter> passedOver = claim.exhausted() ? line.workersNotInClaim() : List.of();
            remove(claim);
            List<Waiter> ended = List.of();
            if (claim.exhausted()) {
                ended = line.removeOneShots(claim.claim().lastArrival);
                ended.addAll(passedOver);
            }
            if (!leftover.isEmpty() && !isIdle() && !context.closed() && !HeldMessage.anyIsolated(leftover)) {
                answered.keep(leftover, claim.claim());
                return new HandedOut(ended, null);
            }
            giveBack.begin();
            return new HandedOut(ended, leftover);
        } finally {
            lock.unlock();
        }
    }

    /** A claim is over: those of its waiters that still wait may be part of the next one. */
    void remove(AnsweredClaim claim) {
        lock.lock();
        try {
            if (answered.remove(claim)) {
                line.leaveClaim(claim.claim().demands);
                landed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- failures -------------------------------------------------------------------------------------------

    /** What a claim brought cannot be read; {@link GiveBack#giveBegun} follows. */
    void unreadable(AnsweredClaim claim) {
        lock.lock();
        try {
            removeCallers(claim.claim());
            remove(claim);
            waitsForCallers = false;
            giveBack.begin();
        } finally {
            lock.unlock();
        }
    }

    /** Removes and returns all waiters but the workers. */
    List<Waiter> removeCallers() {
        lock.lock();
        try {
            List<Waiter> leaving = line.all();
            leaving.removeIf(Waiter::isWorker);
            leaving.forEach(line::remove);
            return leaving;
        } finally {
            lock.unlock();
        }
    }

    /** A claim failed: removes its callers. Returns what was kept for it; {@link GiveBack#giveBegun} follows. */
    List<HeldMessage> failed(ClaimCall claim) {
        lock.lock();
        try {
            inFlight = null;
            landed.signalAll();
            List<HeldMessage> back = dropLeftover();
            if (answered.first() != null) {
                trigger.set(); // waiters that the answered claim does not serve are in no claim then
            }
            removeCallers(claim);
            return back;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void removeCallers(ClaimCall claim) {
        if (line.notInClaim() > 0) {
            trigger.set();
        }
        for (Demand demand : claim.demands) {
            if (!demand.waiter().isWorker()) {
                line.remove(demand.waiter());
            }
        }
        line.leaveClaim(claim.demands);
    }

    /** What was kept for a claim that brings nothing, or not soon; {@link GiveBack#giveBegun} follows. */
    List<HeldMessage> dropLeftover() {
        lock.lock();
        try {
            giveBack.begin();
            return answered.dropLeftover();
        } finally {
            lock.unlock();
        }
    }
}
