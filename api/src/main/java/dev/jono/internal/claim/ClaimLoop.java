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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The one claim of a queue that is under way in this process, and what the last one has brought.
 *
 * <p>When a claim is answered the next one leaves before what it brought is read and handed out, so that the storage works
 * meanwhile. What of that nobody takes comes before what the next one brings, so the order is kept as if it had waited.
 * One thread at a time makes claims and hands out, whichever came ({@link SerialLoop}); a storage that answers at once is
 * answered in a loop, not in a recursion. The lock, which is the {@link WaitingConsumers}'s, is never held while the storage or a
 * waiter's {@code give} runs.
 */
public final class ClaimLoop implements ClaimCall.Sink {
    private static final Log LOG = Log.named("dev.jono");

    private final QueueScope scope;
    private final DeliveryLimit limit;
    private final EngineContext context;
    private final SerialLoop loop;
    private final QueueWatch watch;
    private final ReentrantLock lock;
    private final Condition landed;

    @GuardedBy("lock") private final WaitingLine line;

    @GuardedBy("lock") private final ClaimTrigger trigger;

    @GuardedBy("lock") private @Nullable ClaimCall inFlight;

    @GuardedBy("lock") private long made;

    /** What was answered and is not handed out yet, in the order of the claims: two at most. */
    @GuardedBy("lock") private final ArrayDeque<Landing> landings = new ArrayDeque<>(2);

    /** What nobody took of a claim when the next one had left. */
    @GuardedBy("lock") private List<HeldMessage> held = List.of();

    /** The number of the claim that brought what is held, or was held until now. */
    @GuardedBy("lock") private long heldFrom = Long.MAX_VALUE;

    /** What is on its way back into the queue. */
    public final GiveBack giveBack;

    /** Whether no claim is made until those who were served last have begun what they do next. */
    private volatile boolean gathering;

    /** What a claim brought. */
    private record Landing(ClaimCall claim, ClaimResult result, boolean exhausted, boolean gathers) {
        /**
         * Whether the next claim may leave before this one is handed out: what is left could be handed out before what that one
         * brings, and need not come alone; and nobody whose turn it is goes without.
         */
        boolean mayBeFollowedBy(ClaimTerms terms) {
            return claim.terms.equals(terms) && !terms.alone() && (exhausted || result.size() >= claim.max);
        }
    }

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
            ClaimTrigger reason,
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
        this.trigger = reason;
        this.giveBack = new GiveBack(scope, lanes, lock, landed, this::pump);
    }

    /** Whether none is under way, and all that came is handed out. */
    boolean idle() {
        return isHandedOut(Long.MAX_VALUE - 1);
    }

    /** Whether the claims up to this number have ended, and what they brought is handed out. */
    private boolean isHandedOut(long last) {
        lock.lock();
        try {
            return oldest() > last;
        } finally {
            lock.unlock();
        }
    }

    /** The number of the first claim that is under way or not handed out; the largest there is for none. */
    @GuardedBy("lock") private long oldest() {
        Landing first = landings.peek();
        ClaimCall claim = first == null ? inFlight : first.claim;
        return Math.min(heldFrom, claim == null ? Long.MAX_VALUE : claim.number);
    }

    /** Waits, uninterruptibly, until no claim made so far is under way: what it brings has been handed on, or is back. */
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

    /** Makes a claim if there is a reason and somebody who wants messages. */
    public void pump() {
        gathering = false;
        loop.request();
    }

    private SerialLoop.Next claimAndHandOut() {
        guarded(this::step);
        if (!hasLanded()) {
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

    /** Whatever goes wrong, no memory for a timer for one, the next turn comes. */
    private void guarded(Runnable part) {
        try {
            part.run();
        } catch (RuntimeException | Error broken) {
            LOG.error("a claim of queue '{}' met an error; who waits goes on waiting", scope.name(), broken);
        }
    }

    private boolean hasLanded() {
        lock.lock();
        try {
            return !landings.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Makes a claim if there is a reason and somebody who wants messages; else sets the timer, and tells who looks once. */
    private void step() {
        List<Waiter> ended = List.of();
        ClaimCall claim = null;
        lock.lock();
        try {
            // Once the factory closes, what comes could not go back.
            if (context.closed()
                    || inFlight != null
                    || landings.size() > 1
                    || !held.isEmpty()
                    || giveBack.any()
                    || gathering) {
                return;
            }
            if (watch.paused()) {
                ended = line.removeOneShots(Long.MAX_VALUE);
            } else if (!watch.open()) {
                return;
            } else if (trigger.isSet()) {
                claim = compose();
                if (claim != null) {
                    trigger.consume();
                    inFlight = claim;
                }
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

    /** The demand of the first that wants something and of all others on the same terms; null if nobody wants anything. */
    @GuardedBy("lock") private @Nullable ClaimCall compose() {
        List<Demand> wants = new ArrayList<>();
        ClaimTerms terms = null;
        int total = 0;
        int most = context.traits.maxBatch();
        Landing last = landings.peek();
        for (Waiter waiter : line) {
            if (total >= most) {
                break;
            }
            if (line.isInClaim(waiter) || (terms != null && !terms.equals(waiter.terms()))) {
                continue;
            }
            if (terms == null && last != null && !last.mayBeFollowedBy(waiter.terms())) {
                return null; // before anybody is asked: who says what it wants is answered
            }
            int want = waiter.demand();
            if (want > 0) {
                terms = waiter.terms();
                wants.add(new Demand(waiter, want));
                total += want;
                most = terms.alone() ? 1 : most;
            }
        }
        if (terms == null) {
            return null;
        }
        line.enterClaim(wants);
        return new ClaimCall(scope, this, ++made, terms, wants, Math.min(total, most), line.arrivals());
    }

    /** The claim was answered. */
    @Override
    public void brought(ClaimCall claim, ClaimResult result) {
        context.storageClock.observe(result.storageMillis(), claim.sentNanos);
        boolean exhausted = result.size() < claim.max && (result.nextMillis() > 0 || result.size() == 0);
        lock.lock();
        try {
            boolean gathers = !exhausted && gathers(claim, result.size());
            inFlight = null;
            landings.add(new Landing(claim, result, exhausted, gathers));
            if (!exhausted) {
                trigger.set();
            } else if (result.nextMillis() != ClaimResult.NONE) {
                trigger.setNotBefore(result.storageMillis() + Math.max(1, result.nextMillis()));
            }
            gathering = gathers;
        } finally {
            lock.unlock();
        }
        loop.request();
    }

    /**
     * Whether those who wait are claimed for together with those who come when they have what this claim brought, as in a
     * {@link Lane}.
     */
    @GuardedBy("lock") private boolean gathers(ClaimCall claim, int brought) {
        int served = Demand.served(claim.demands, brought);
        int waiting = line.notInClaim() + claim.demands.size() - served;
        return !line.hasWorkers()
                && waiting > 0
                && context.worthWaitingFor(served, waiting, claim.terms.enough(context.traits))
                && !line.anyBlocksThread();
    }

    /** Hands out what came first. */
    private void handOut() {
        Landing landing;
        List<HeldMessage> before;
        lock.lock();
        try {
            landing = landings.element();
            before = held;
            held = List.of();
        } finally {
            lock.unlock();
        }
        try {
            handOut(landing, before);
        } catch (RuntimeException | Error broken) {
            lock.lock();
            try {
                remove(landing); // or it would come again for ever
            } finally {
                lock.unlock();
            }
            throw broken;
        }
    }

    private void handOut(Landing landing, List<HeldMessage> before) {
        ClaimCall claim = landing.claim;
        List<HeldMessage> messages;
        try {
            messages = limit.apply(landing.result.messages(), claim.terms, claim.sentNanos);
        } catch (RuntimeException | Error unreadable) {
            unreadable(landing, before, unreadable);
            return;
        }
        if (!before.isEmpty() && messages.stream().anyMatch(one -> one.message.isolated())) {
            giveBack.give(before);
        } else {
            messages.addAll(0, before);
        }
        HandOut shares = new HandOut(this, claim);
        List<HeldMessage> left = List.of();
        try {
            left = shares.handOut(messages);
        } catch (RuntimeException | Error broken) {
            // Nothing of the user's runs here; but whatever happens, the intake goes on.
            LOG.error("handing out messages of queue '{}' failed; they return after their lease", scope.name(), broken);
        }
        List<Waiter> ended = handedOut(landing, shares.served(), left);
        try {
            step();
        } finally {
            shares.tell(context, ended, landing.gathers ? () -> context.scheduleAfterCallbacks(this::pump) : () -> {});
        }
    }

    /** Those who were served leave; returns who is to be told that there is nothing. */
    private List<Waiter> handedOut(Landing landing, List<Waiter> served, List<HeldMessage> left) {
        ClaimCall claim = landing.claim;
        List<Waiter> ended = List.of();
        boolean holds;
        lock.lock();
        try {
            for (Waiter waiter : served) {
                if (!waiter.isWorker()) {
                    line.remove(waiter); // who has ended by itself, and took nothing, leaves by itself
                }
            }
            List<Waiter> passedOver = landing.exhausted ? line.workersNotInClaim() : List.of();
            remove(landing);
            if (landing.exhausted) {
                ended = line.removeOneShots(claim.lastArrival);
                ended.addAll(passedOver);
            }
            holds = !left.isEmpty()
                    && !idle()
                    && !context.closed()
                    && left.stream().noneMatch(one -> one.message.isolated());
            if (holds) {
                held = left;
                heldFrom = claim.number;
            } else {
                giveBack.begin();
            }
        } finally {
            lock.unlock();
        }
        if (!holds) {
            giveBack.giveBegun(left);
        }
        return ended;
    }

    /** It is over: those for whom it was made, and who still wait, may be in the next claim. */
    @GuardedBy("lock") private void remove(Landing landing) {
        if (landings.remove(landing)) {
            line.leaveClaim(landing.claim.demands);
            heldFrom = Long.MAX_VALUE;
            landed.signalAll();
        }
    }

    /** What a claim brought cannot be read, as if it had failed. What was held for it goes back. */
    private void unreadable(Landing landing, List<HeldMessage> before, Throwable failure) {
        ClaimCall claim = landing.claim;
        lock.lock();
        try {
            endClaim(claim);
            remove(landing);
            gathering = false;
            giveBack.begin();
        } finally {
            lock.unlock();
        }
        giveBack.giveBegun(before);
        claim.unreadable(failure, false);
        claim.tell(failure);
    }

    /** Those who want messages on a claim's terms, and came when it had been composed. */
    List<Demand> others(ClaimCall claim) {
        List<Demand> others = new ArrayList<>();
        lock.lock();
        try {
            for (Waiter waiter : line) {
                if (!line.isInClaim(waiter) && claim.terms.equals(waiter.terms()) && !watch.paused()) {
                    int want = waiter.demand();
                    if (want > 0) {
                        others.add(new Demand(waiter, want));
                    }
                }
            }
        } finally {
            lock.unlock();
        }
        return others;
    }

    /** The claim was not answered in time, and goes on. Those who wait, for it or for the next, are told; workers stay. */
    @Override
    public void overdue(ClaimCall claim, Throwable failure) {
        RuntimeException told = Failures.fromStorage(claim.step, scope.name(), failure);
        List<Waiter> leaving;
        lock.lock();
        try {
            leaving = line.all();
            leaving.removeIf(Waiter::isWorker);
            leaving.forEach(line::remove);
        } finally {
            lock.unlock();
        }
        giveBackHeld();
        leaving.forEach(waiter -> waiter.failed(told));
    }

    /** The claim failed, or was not answered in time. */
    @Override
    public void failed(ClaimCall claim, Throwable failure) {
        List<HeldMessage> back;
        lock.lock();
        try {
            inFlight = null;
            landed.signalAll();
            back = noLongerHeld();
            if (!landings.isEmpty()) {
                trigger.set(); // who is left unserved was not asked again
            }
            endClaim(claim);
        } finally {
            lock.unlock();
        }
        giveBack.giveBegun(back);
        claim.tell(failure);
        pump();
    }

    @Override
    public void broughtTooLate(List<HeldMessage> messages) {
        giveBack.give(messages);
    }

    /** Those whose claim brought nothing that can be handed out. */
    @GuardedBy("lock") private void endClaim(ClaimCall claim) {
        if (line.notInClaim() > 0) {
            trigger.set();
        }
        for (Demand want : claim.demands) {
            if (!want.waiter().isWorker()) {
                line.remove(want.waiter());
            }
        }
        line.leaveClaim(claim.demands);
    }

    /** Gives back what was held for a claim that brings nothing, or not soon. */
    void giveBackHeld() {
        List<HeldMessage> back;
        lock.lock();
        try {
            back = noLongerHeld();
        } finally {
            lock.unlock();
        }
        giveBack.giveBegun(back);
        loop.request();
    }

    /** To be followed by {@link GiveBack#giveBegun}. */
    @GuardedBy("lock") private List<HeldMessage> noLongerHeld() {
        List<HeldMessage> back = held;
        held = List.of();
        heldFrom = Long.MAX_VALUE;
        giveBack.begin();
        return back;
    }
}
