package dev.jono.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.spi.ClaimResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one claim of a queue that is under way in this process, and what the last one has brought.
 *
 * <p>When a claim is answered the next one leaves before what it brought is read and handed out, so that the storage works
 * meanwhile. What of that nobody takes comes before what the next one brings, so the order is kept as if it had waited.
 * One thread at a time makes claims and hands out, whichever came ({@link #pump}); a storage that answers at once is
 * answered in a loop, not in a recursion. The lock, which is the {@link Intake}'s, is never held while the storage or a
 * waiter's {@code give} runs.
 */
final class Claims {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono");

    private final QueueCore core;
    private final Context context;
    private final AtomicInteger work = new AtomicInteger();
    private final QueueWatch watch;
    private final ReentrantLock lock;
    private final Condition landed;

    @GuardedBy("lock") private final WaitingLine line;

    @GuardedBy("lock") private final Reason reason;

    @GuardedBy("lock") private boolean underWay;

    /** What was answered and is not handed out yet, in the order of the claims: two at most. */
    @GuardedBy("lock") private final ArrayDeque<Landing> landings = new ArrayDeque<>(2);

    /** What nobody took of a claim when the next one had left. */
    @GuardedBy("lock") private List<Delivered> held = List.of();

    /** How many lots of messages are on their way back into the queue. */
    @GuardedBy("lock") private int returning;

    /** Whether no claim is made until those who were served last have begun what they do next. Set under the lock. */
    private volatile boolean gathering;

    /** What a claim brought. */
    private record Landing(ClaimCall claim, ClaimResult result, boolean exhausted, boolean gathers) {}

    Claims(QueueCore core, QueueWatch watch, ReentrantLock lock, WaitingLine line, Reason reason) {
        this.core = core;
        this.context = core.context;
        this.watch = watch;
        this.lock = lock;
        this.landed = lock.newCondition();
        this.line = line;
        this.reason = reason;
    }

    /** Whether none is under way, and all that came is handed out. */
    boolean idle() {
        lock.lock();
        try {
            return !underWay && landings.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Waits, uninterruptibly, until no claim is under way: what it brings has been handed on, or is back. */
    boolean awaitLanded(long deadlineNanos) {
        boolean interrupted = false;
        lock.lock();
        try {
            while (!idle() || returning > 0) {
                long left = deadlineNanos - context.clock.nanos();
                if (left <= 0) {
                    return false;
                }
                interrupted |= Await.change(landed, context.clock, left);
            }
            return true;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Messages are on their way back into the queue: no claim begins until they are there, or for the time that an
     * operation may take. It would not see them and take what stands behind them; or, where their lease has ended, claim
     * them and count a delivery that was none.
     */
    void holdOff(CompletableFuture<?> back) {
        if (back.isDone()) {
            return;
        }
        lock.lock();
        try {
            returning++;
        } finally {
            lock.unlock();
        }
        AtomicBoolean over = new AtomicBoolean();
        Runnable goOn = () -> {
            if (over.compareAndSet(false, true)) {
                returned();
                pump();
            }
        };
        JonoClock.Timer limit = context.clock.schedule(core.timeout.toNanos(), goOn);
        back.whenComplete((done, failure) -> {
            limit.cancel();
            goOn.run();
        });
    }

    private void returned() {
        lock.lock();
        try {
            returning--;
            landed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Makes a claim if there is a reason and somebody who wants messages. */
    void pump() {
        gathering = false;
        proceed();
    }

    private void proceed() {
        if (work.getAndIncrement() == 0) {
            run(1);
        }
    }

    private void run(int begun) {
        int seen = begun;
        int turns = 0;
        while (true) {
            step();
            if (++turns == Context.TURNS_FOR_OTHERS && context.handOver(() -> run(0))) {
                return;
            }
            if (hasLanded() && context.backend.behindReads(this::handOutAndGoOn)) {
                return;
            }
            if (!handOut()) {
                seen = work.addAndGet(-seen);
                if (seen == 0) {
                    return;
                }
            }
        }
    }

    private void handOutAndGoOn() {
        handOut();
        run(0);
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
            if (underWay || landings.size() > 1 || !held.isEmpty() || returning > 0 || gathering) {
                return;
            }
            if (watch.paused()) {
                ended = line.endLookOnce(Long.MAX_VALUE);
            } else if (!watch.open()) {
                return;
            } else if (reason.given()) {
                claim = compose();
                if (claim != null) {
                    reason.taken();
                    underWay = true;
                }
            } else if (!line.isEmpty()) {
                reason.arm(this::timerFired);
            }
        } finally {
            lock.unlock();
        }
        ended.forEach(Waiter::empty);
        if (claim != null) {
            claim.launch();
        }
    }

    private void timerFired() {
        lock.lock();
        try {
            reason.fired();
        } finally {
            lock.unlock();
        }
        pump();
    }

    /** The demand of the first that wants something and of all others on the same terms; null if nobody wants anything. */
    @GuardedBy("lock") private @Nullable ClaimCall compose() {
        List<Want> wants = new ArrayList<>();
        Terms terms = null;
        int total = 0;
        int most = context.traits.maxBatch();
        for (Waiter waiter : line) {
            if (total >= most) {
                break;
            }
            if (line.isAsked(waiter) || (terms != null && !terms.equals(waiter.terms()))) {
                continue;
            }
            int want = waiter.want();
            if (want > 0) {
                terms = waiter.terms();
                wants.add(new Want(waiter, want));
                total += want;
                // The only delivery there may be is made alone, or a crash would give up its neighbours unseen.
                most = terms.reserves() && terms.maxDeliveries() == 1 ? 1 : most;
            }
        }
        Landing last = landings.peek();
        if (terms == null || (last != null && !last.claim.terms.equals(terms))) {
            return null; // what is left of the last could not come before what this one brings
        }
        line.ask(wants);
        return new ClaimCall(core, terms, wants, Math.min(total, most), line.arrivals());
    }

    /** The claim was answered. */
    void brought(ClaimCall claim, ClaimResult result) {
        context.storageTime.observe(result.storageMillis(), claim.sentNanos);
        boolean exhausted = result.size() < claim.max && (result.nextMillis() > 0 || result.size() == 0);
        lock.lock();
        try {
            boolean gathers = !exhausted && gathers(claim, result.size());
            underWay = false;
            landings.add(new Landing(claim, result, exhausted, gathers));
            if (!exhausted) {
                reason.give();
            } else if (result.nextMillis() != ClaimResult.NONE) {
                reason.giveLater(result.storageMillis() + Math.max(1, result.nextMillis()));
            }
            gathering = gathers;
        } finally {
            lock.unlock();
        }
        proceed();
    }

    /**
     * Whether those who wait are claimed for together with those who come when they have what this claim brought, as in a
     * {@link Lane}.
     */
    @GuardedBy("lock") private boolean gathers(ClaimCall claim, int brought) {
        int waiting = line.unasked();
        return !line.hasStayers()
                && waiting > 0
                && context.gathers(Want.served(claim.wants, brought), waiting, claim.terms.enough(context.traits))
                && !line.blocks();
    }

    /** Hands out what came first; false if nothing did. */
    private boolean handOut() {
        Landing landing;
        List<Delivered> before;
        lock.lock();
        try {
            landing = landings.peek();
            if (landing == null) {
                return false;
            }
            before = held;
            held = List.of();
        } finally {
            lock.unlock();
        }
        ClaimCall claim = landing.claim;
        Shares shares = new Shares(this, claim);
        List<Delivered> left = List.of();
        try {
            List<Delivered> messages = new ArrayList<>(before);
            messages.addAll(core.screen(landing.result.messages(), claim.terms, claim.sentNanos));
            left = shares.handOut(messages);
        } catch (RuntimeException | Error broken) {
            // Nothing of the user's runs here; but whatever happens, the intake goes on.
            LOG.error("handing out messages of queue '{}' failed; they return after their lease", core.name, broken);
        }
        List<Waiter> ended = List.of();
        lock.lock();
        try {
            for (Waiter served : shares.served()) {
                if (!served.stays()) {
                    line.remove(served); // who has ended by itself, and took nothing, leaves by itself
                }
            }
            List<Waiter> passedOver = landing.exhausted ? line.unaskedStayers() : List.of();
            line.answered(claim.wants);
            if (landing.exhausted) {
                ended = line.endLookOnce(claim.lastArrival);
                ended.addAll(passedOver);
            }
            landings.remove();
            landed.signalAll();
            if (!idle()) {
                held = left;
                left = List.of();
            }
            returning += left.isEmpty() ? 0 : 1;
        } finally {
            lock.unlock();
        }
        giveBack(left);
        shares.tell(context, ended, landing.gathers ? () -> context.whenCallbacksHaveRun(this::pump) : () -> {});
        return true;
    }

    /** Those who want messages on a claim's terms, and came when it had been composed. */
    List<Want> others(ClaimCall claim) {
        List<Want> others = new ArrayList<>();
        lock.lock();
        try {
            for (Waiter waiter : line) {
                if (!line.isAsked(waiter) && claim.terms.equals(waiter.terms()) && !watch.paused()) {
                    int want = waiter.want();
                    if (want > 0) {
                        others.add(new Want(waiter, want));
                    }
                }
            }
        } finally {
            lock.unlock();
        }
        return others;
    }

    /** The claim was not answered in time, and goes on. Those who wait, for it or for the next, are told; workers stay. */
    void overdue(ClaimCall claim, Throwable failure) {
        RuntimeException told = Failures.fromStorage(claim.step, core.name, failure);
        List<Waiter> leaving;
        List<Delivered> back;
        lock.lock();
        try {
            back = noLongerHeld();
            leaving = line.all();
            leaving.removeIf(Waiter::stays);
            leaving.forEach(line::remove);
        } finally {
            lock.unlock();
        }
        giveBack(back);
        leaving.forEach(waiter -> waiter.failed(told));
    }

    /** The claim failed, or was not answered in time. */
    void failed(ClaimCall claim, Throwable failure) {
        RuntimeException told = Failures.fromStorage(claim.step, core.name, failure);
        List<Delivered> back;
        lock.lock();
        try {
            underWay = false;
            landed.signalAll();
            back = noLongerHeld();
            if (line.unasked() > 0) {
                reason.give();
            }
            for (Want want : claim.wants) {
                if (!want.waiter().stays()) {
                    line.remove(want.waiter());
                }
            }
            line.answered(claim.wants);
        } finally {
            lock.unlock();
        }
        giveBack(back);
        claim.wants.forEach(want -> want.waiter().failed(told));
        pump();
    }

    /** What was held for a claim that brings nothing, or not soon: to be given back. */
    @GuardedBy("lock") private List<Delivered> noLongerHeld() {
        List<Delivered> back = held;
        held = List.of();
        returning += back.isEmpty() ? 0 : 1;
        return back;
    }

    /** Gives back what is counted among {@link #returning} already, so that no claim begins before. */
    private void giveBack(List<Delivered> messages) {
        if (!messages.isEmpty()) {
            core.giveBack(messages);
            returned();
        }
    }
}
