package dev.jono.internal.claim;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.internal.concurrent.SerialLoop;
import dev.jono.internal.concurrent.UninterruptibleWait;
import dev.jono.internal.log.Log;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.internal.runtime.Failures;
import dev.jono.internal.runtime.QueueScope;
import dev.jono.internal.wake.QueueWatch;
import dev.jono.spi.ClaimResult;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes the claims of one queue, one at a time, and hands out what they bring. Called by {@link WaitingConsumers} on the
 * threads of callers, signals and timers, and by the threads of the storage. The lock, which is that of the waiters, is
 * never held while the storage is called or a waiter accepts messages.
 */
public final class ClaimLoop implements ClaimCall.Sink {
    /*
     * How claims are made
     *
     * A step makes a claim if there is a reason to look (ClaimTrigger) and a waiter that wants messages. A claim is made for
     * the first waiter in line and for all others on the same terms; their demands are summed up. When it is answered, its
     * messages are handed out in the order of the line.
     *
     * Example: A wants 1 message and B wants 10; the queue holds 4.
     *
     *   1. A begins to wait. No claim is in flight, so claim 1 is sent: 1 message, for A.
     *   2. B begins to wait. Claim 1 is in flight; B stays in line, and the trigger is set.
     *   3. Claim 1 is answered with 1 message. Claim 2 is sent first: 10 messages, for B. Only then is A given its message:
     *      the storage works while A's thread wakes up.
     *   4. Claim 2 is answered with 3 messages, and says that the queue has no more. B is given 3. The next claim waits
     *      until the trigger is set again: by a new waiter, a signal, a due time, or a probe.
     *
     * If A had left at step 3, claim 2 would be in flight when its message turns out to be left over. Then the message is
     * kept, and handed out before what claim 2 brings, so that the order is as if claim 2 had waited. What no waiter takes
     * in the end goes back (GiveBack); no claim is made until it is back.
     *
     * As in a lane (see there), the next claim may wait for what the callers of the last one do next.
     */

    private static final Log LOG = Log.named("dev.jono");

    private final QueueScope scope;
    private final DeliveryLimit limit;
    private final EngineContext context;
    private final SerialLoop loop;
    private final QueueWatch watch;
    private final ReentrantLock lock;

    /** Signalled when a claim has ended, or messages are back. */
    private final Condition landed;

    @GuardedBy("lock") private final WaitingLine line;

    @GuardedBy("lock") private final ClaimTrigger trigger;

    @GuardedBy("lock") private @Nullable ClaimCall inFlight;

    /** How many claims were made; the number of the last one. */
    @GuardedBy("lock") private long made;

    @GuardedBy("lock") private final AnsweredClaims answered = new AnsweredClaims();

    /** Gives back messages that no waiter takes. */
    public final GiveBack giveBack;

    /** Whether no claim is made until the callers that were served last have begun what they do next. */
    private volatile boolean waitsForCallers;

    /**
     * The claims of one queue.
     *
     * @param lock guards the line, the trigger and what this keeps
     */
    ClaimLoop(
            QueueScope scope,
            QueueWatch watch,
            ReentrantLock lock,
            WaitingLine line,
            ClaimTrigger trigger,
            DeliveryLimit limit,
            GiveBack.Lanes lanes) {
        this.scope = scope;
        this.limit = limit;
        this.context = scope.context();
        this.watch = watch;
        this.lock = lock;
        this.landed = lock.newCondition();
        this.loop = new SerialLoop(this::claimAndHandOut, context::handOver);
        this.line = line;
        this.trigger = trigger;
        this.giveBack = new GiveBack(scope, lanes, lock, landed, this::pump);
    }

    // ---- waiting for claims ---------------------------------------------------------------------------------

    /** Whether no claim is in flight, and all that came is handed out. */
    boolean idle() {
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

    /**
     * Waits until no claim made so far is in flight, and what they brought is handed out or back. An interrupt does not end
     * the wait. Returns false at the deadline.
     */
    public boolean awaitLanded(long deadlineNanos) {
        lock.lock();
        try {
            long last = made;
            return UninterruptibleWait.until(
                    landed, context.clock, deadlineNanos, () -> isHandedOut(last) && !giveBack.any());
        } finally {
            lock.unlock();
        }
    }

    // ---- claiming -------------------------------------------------------------------------------------------

    /** Makes a claim if there is a reason, and a waiter that wants messages. */
    public void pump() {
        waitsForCallers = false;
        loop.request();
    }

    private SerialLoop.Next claimAndHandOut() {
        guarded(this::step);
        if (!hasAnswer()) {
            return SerialLoop.Next.DONE;
        }
        if (context.backend.afterReads(this::handOutAndResume)) {
            return SerialLoop.Next.SUSPENDED;
        }
        guarded(this::handOut);
        return SerialLoop.Next.AGAIN;
    }

    private void handOutAndResume() {
        guarded(this::handOut);
        loop.resume();
    }

    /** Whatever goes wrong in a part, such as no memory for a timer, the next one is run. */
    private void guarded(Runnable part) {
        try {
            part.run();
        } catch (RuntimeException | Error broken) {
            LOG.error("a claim of queue '{}' met an error; its waiters continue to wait", scope.name(), broken);
        }
    }

    private boolean hasAnswer() {
        lock.lock();
        try {
            return answered.first() != null;
        } finally {
            lock.unlock();
        }
    }

    /** Makes a claim if there is a reason and a waiter that wants messages; otherwise sets the timer for the next reason. */
    private void step() {
        List<Waiter> ended = List.of();
        ClaimCall claim = null;
        lock.lock();
        try {
            // Once the factory closes, messages that come could not go back.
            if (context.closed() || inFlight != null || !answered.allowNext() || giveBack.any() || waitsForCallers) {
                return;
            }
            if (watch.paused()) {
                ended = line.removeOneShots(Long.MAX_VALUE);
            } else if (!watch.open()) {
                return;
            } else if (trigger.isSet()) {
                claim = nextClaim();
            } else if (!line.isEmpty()) {
                trigger.arm(this::timerFired);
            }
        } finally {
            lock.unlock();
        }
        ended.forEach(Waiter::queueEmpty);
        if (claim != null) {
            claim.launch();
        }
    }

    private void timerFired() {
        lock.lock();
        try {
            trigger.timerFired();
        } finally {
            lock.unlock();
        }
        pump();
    }

    @GuardedBy("lock") private @Nullable ClaimCall nextClaim() {
        AnsweredClaim last = answered.first();
        Demands demands = line.demands(context.traits.maxBatch(), terms -> last == null || last.mayBeFollowedBy(terms));
        if (demands == null) {
            return null;
        }
        line.enterClaim(demands.each());
        trigger.consume();
        ClaimCall claim = new ClaimCall(scope, this, ++made, demands, line.arrivals());
        inFlight = claim;
        return claim;
    }

    @Override
    public void brought(ClaimCall claim, ClaimResult result) {
        context.storageClock.observe(result.storageMillis(), claim.sentNanos);
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
        loop.request();
    }

    /** Whether the next claim waits for what the callers of this one do next, as batches of a lane do. */
    @GuardedBy("lock") private boolean nextWaits(ClaimCall claim, int brought) {
        int served = Demand.served(claim.demands, brought);
        int waiting = line.notInClaim() + claim.demands.size() - served;
        return !line.hasWorkers()
                && waiting > 0
                && context.worthWaitingFor(served, waiting, claim.terms.enough(context.traits))
                && !line.anyBlocksThread();
    }

    // ---- handing out ----------------------------------------------------------------------------------------

    /** Hands out the first answered claim. */
    private void handOut() {
        AnsweredClaim first;
        List<HeldMessage> before;
        lock.lock();
        try {
            first = answered.first();
            if (first == null) {
                return;
            }
            before = answered.takeLeft();
        } finally {
            lock.unlock();
        }
        try {
            handOut(first, before);
        } catch (RuntimeException | Error broken) {
            lock.lock();
            try {
                remove(first); // or it would come again for ever
            } finally {
                lock.unlock();
            }
            throw broken;
        }
    }

    private void handOut(AnsweredClaim landing, List<HeldMessage> before) {
        ClaimCall claim = landing.claim();
        List<HeldMessage> messages;
        try {
            messages = limit.apply(landing.result().messages(), claim.terms, claim.sentNanos);
        } catch (RuntimeException | Error unreadable) {
            unreadable(landing, before, unreadable);
            return;
        }
        if (!before.isEmpty() && anyIsolated(messages)) {
            giveBack.give(before);
        } else {
            messages.addAll(0, before);
        }
        HandOut handOut = new HandOut(this, claim);
        List<HeldMessage> left = List.of();
        try {
            left = handOut.handOut(messages);
        } catch (RuntimeException | Error broken) {
            // No code of the application runs here; but whatever happens, the loop continues.
            LOG.error("handing out messages of queue '{}' failed; they return after their lease", scope.name(), broken);
        }
        List<Waiter> ended = handedOut(landing, handOut.served(), left);
        try {
            step();
        } finally {
            handOut.notifyWaiters(
                    context, ended, landing.nextWaits() ? () -> context.scheduleAfterCallbacks(this::pump) : () -> {});
        }
    }

    private static boolean anyIsolated(List<HeldMessage> messages) {
        return messages.stream().anyMatch(one -> one.message.isolated());
    }

    /** Removes the waiters that were served; returns those that are to be notified that there is nothing. */
    private List<Waiter> handedOut(AnsweredClaim landing, List<Waiter> served, List<HeldMessage> left) {
        ClaimCall claim = landing.claim();
        List<Waiter> ended = List.of();
        boolean keeps;
        lock.lock();
        try {
            for (Waiter waiter : served) {
                if (!waiter.isWorker()) {
                    line.remove(waiter); // one that has ended by itself, and took nothing, removes itself
                }
            }
            List<Waiter> passedOver = landing.exhausted() ? line.workersNotInClaim() : List.of();
            remove(landing);
            if (landing.exhausted()) {
                ended = line.removeOneShots(claim.lastArrival);
                ended.addAll(passedOver);
            }
            keeps = !left.isEmpty() && !idle() && !context.closed() && !anyIsolated(left);
            if (keeps) {
                answered.keep(left, claim);
            } else {
                giveBack.begin();
            }
        } finally {
            lock.unlock();
        }
        if (!keeps) {
            giveBack.giveBegun(left);
        }
        return ended;
    }

    /** A claim is over: those of its waiters that still wait may be in the next one. */
    @GuardedBy("lock") private void remove(AnsweredClaim landing) {
        if (answered.remove(landing)) {
            line.leaveClaim(landing.claim().demands);
            landed.signalAll();
        }
    }

    /** Those who want messages on the terms of a claim, and began to wait after it was made. */
    List<Demand> others(ClaimCall claim) {
        lock.lock();
        try {
            return watch.paused() ? List.of() : line.demandsOn(claim.terms);
        } finally {
            lock.unlock();
        }
    }

    // ---- failures -------------------------------------------------------------------------------------------

    /** What a claim brought cannot be read, as if it had failed. What was left for it goes back. */
    private void unreadable(AnsweredClaim landing, List<HeldMessage> before, Throwable failure) {
        ClaimCall claim = landing.claim();
        lock.lock();
        try {
            removeCallers(claim);
            remove(landing);
            waitsForCallers = false;
            giveBack.begin();
        } finally {
            lock.unlock();
        }
        giveBack.giveBegun(before);
        claim.unreadable(failure, false);
        claim.failWaiters(failure);
    }

    /** The callers, whether they wait for this claim or the next one, get the failure; workers stay. */
    @Override
    public void overdue(ClaimCall claim, Throwable failure) {
        RuntimeException reported = Failures.fromStorage(claim.step, scope.name(), failure);
        List<Waiter> leaving;
        lock.lock();
        try {
            leaving = line.all();
            leaving.removeIf(Waiter::isWorker);
            leaving.forEach(line::remove);
        } finally {
            lock.unlock();
        }
        giveBackLeft();
        leaving.forEach(waiter -> waiter.failed(reported));
    }

    @Override
    public void failed(ClaimCall claim, Throwable failure) {
        List<HeldMessage> back;
        lock.lock();
        try {
            inFlight = null;
            landed.signalAll();
            back = dropLeft();
            if (answered.first() != null) {
                trigger.set(); // waiters that it leaves unserved are in no claim
            }
            removeCallers(claim);
        } finally {
            lock.unlock();
        }
        giveBack.giveBegun(back);
        claim.failWaiters(failure);
        pump();
    }

    @Override
    public void broughtTooLate(List<HeldMessage> messages) {
        giveBack.give(messages);
    }

    /** The claim brings nothing that can be handed out: removes its callers; workers stay. */
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

    /** Gives back what was kept for a claim that brings nothing, or not soon. */
    void giveBackLeft() {
        List<HeldMessage> back;
        lock.lock();
        try {
            back = dropLeft();
        } finally {
            lock.unlock();
        }
        giveBack.giveBegun(back);
        loop.request();
    }

    /** To be followed by {@link GiveBack#giveBegun}. */
    @GuardedBy("lock") private List<HeldMessage> dropLeft() {
        giveBack.begin();
        return answered.dropLeft();
    }
}
