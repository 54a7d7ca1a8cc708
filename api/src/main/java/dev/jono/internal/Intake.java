package dev.jono.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.Signaller;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All who wait for messages of one queue in this process, and the one claim under way for them.
 *
 * <p>There is a reason to look ({@code look}) when somebody came who has not looked, when a claim came back full, after a
 * signal, a timer, or a probe that says that something is due. Without a reason nobody asks the storage. A signal that
 * comes while a claim is under way is remembered and gives a reason after it. While anybody waits, the queue is
 * <em>active</em>: subscribed to signals, its paused flag known, and probed at the poll interval.
 *
 * <p>The lock is never held while the storage, a signaller or a waiter's {@code give} runs.
 */
final class Intake {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono");

    private final QueueCore core;
    private final Context context;
    private final AtomicInteger work = new AtomicInteger();
    private final SharedStep pumpTogether;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition landed = lock.newCondition();
    private final QueueWatch watch;

    @GuardedBy("lock") private final WaitingLine line = new WaitingLine();

    @GuardedBy("lock") private final WaitLimits limits;

    /** Written with the lock held. */
    private volatile boolean look;

    @GuardedBy("lock") private boolean inFlight;

    /** How many lots of messages are on their way back into the queue. */
    @GuardedBy("lock") private int returning;

    /** Storage time at which to look again without a further reason; {@code Long.MAX_VALUE} for never. */
    @GuardedBy("lock") private long nextMillis = Long.MAX_VALUE;

    @GuardedBy("lock") private JonoClock.@Nullable Timer timer;

    @GuardedBy("lock") private long timerMillis = Long.MAX_VALUE;

    Intake(QueueCore core) {
        this.core = core;
        this.context = core.context;
        this.limits = new WaitLimits(context.clock, lock);
        this.watch = new QueueWatch(core, this);
        this.pumpTogether = new SharedStep(context, this::pump);
    }

    /** Adds a waiter. */
    void add(Waiter waiter) {
        boolean first;
        boolean enough;
        Runnable limit;
        lock.lock();
        try {
            line.add(waiter);
            limit = waiter.stays() ? null : limits.begin(waiter);
            enough = line.size() >= good(waiter.terms());
            look = true;
            first = watch.begin();
        } finally {
            lock.unlock();
        }
        if (first) {
            watch.listen();
        }
        if (limit != null) {
            limit.run();
        }
        if (enough || waiter.blocks()) {
            pump();
        } else {
            pumpTogether.ask();
        }
    }

    /** Ends all waits, at the factory's close. */
    void close() {
        List<Waiter> all = waiting();
        cancel(all, user -> true);
        lock.lock();
        try {
            all.forEach(this::drop);
            limits.clear();
        } finally {
            lock.unlock();
        }
        stayActive();
    }

    /** Ends the waits of an owner; says how many. */
    int cancel(Object owner) {
        return cancel(waiting(), user -> user.owner == owner);
    }

    private List<Waiter> waiting() {
        lock.lock();
        try {
            return line.all();
        } finally {
            lock.unlock();
        }
    }

    private static int cancel(List<Waiter> waiters, Predicate<UserWaiter> which) {
        int ended = 0;
        for (Waiter waiter : waiters) {
            ended += waiter instanceof UserWaiter user && which.test(user) && user.cancel() ? 1 : 0;
        }
        return ended;
    }

    /** Waits, uninterruptibly, until no claim is under way: what it brings has been handed on, or is back. */
    boolean awaitLanded(long deadlineNanos) {
        boolean interrupted = false;
        lock.lock();
        try {
            while (inFlight || returning > 0) {
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
                lock.lock();
                try {
                    returning--;
                    landed.signalAll();
                } finally {
                    lock.unlock();
                }
                pump();
            }
        };
        JonoClock.Timer limit = context.clock.schedule(core.timeout.toNanos(), goOn);
        back.whenComplete((done, failure) -> {
            limit.cancel();
            goOn.run();
        });
    }

    /** Forgets a waiter. */
    void remove(Waiter waiter) {
        lock.lock();
        try {
            drop(waiter);
        } finally {
            lock.unlock();
        }
    }

    /** Whether a claim would be made if somebody wanted messages: something may be there. Takes no lock. */
    boolean worthALook() {
        return look && watch.open();
    }

    /** The paused flag of the queue, and the signals. */
    QueueWatch watch() {
        return watch;
    }

    /** The flag was set or cleared. */
    void gate(boolean paused) {
        List<Waiter> all;
        lock.lock();
        try {
            look = true;
            all = line.all();
        } finally {
            lock.unlock();
        }
        all.forEach(waiter -> waiter.gate(paused));
        pump();
    }

    /** Messages came in, due at this time by the storage's clock. */
    void signalled(long dueMillis) {
        lock.lock();
        try {
            if (dueMillis <= context.storageTime.nowMillis()) {
                look = true;
            } else {
                nextMillis = Math.min(nextMillis, dueMillis);
            }
            if (line.isEmpty()) {
                return;
            }
        } finally {
            lock.unlock();
        }
        pump();
    }

    /** The poll interval's answer: milliseconds until something is due. */
    void probed(long millis) {
        if (millis != ClaimResult.NONE) {
            signalled(context.storageTime.nowMillis() + Math.max(0, millis));
        }
    }

    /** Ends the active state if nobody waits; returns whether it is still active. */
    boolean stayActive() {
        Signaller.Subscription ended;
        lock.lock();
        try {
            if (!line.isEmpty() || inFlight) {
                return true;
            }
            ended = watch.end();
            limits.clear();
            if (timer != null) {
                timer.cancel();
                timer = null;
                timerMillis = Long.MAX_VALUE;
            }
        } finally {
            lock.unlock();
        }
        core.signals.unsubscribe(ended);
        return false;
    }

    void pump() {
        if (work.getAndIncrement() == 0) {
            run(1);
        }
    }

    private void run(int begun) {
        int seen = begun;
        int turns = 0;
        do {
            step();
            if (++turns == Context.TURNS_FOR_OTHERS && context.handOver(() -> run(0))) {
                return;
            }
            seen = work.addAndGet(-seen);
        } while (seen != 0);
    }

    /** Makes a claim if there is a reason and somebody who wants messages; else sets the timer, and tells who looks once. */
    private void step() {
        List<Waiter> ended = List.of();
        ClaimCall claim = null;
        lock.lock();
        try {
            if (inFlight || returning > 0) {
                return;
            }
            if (watch.paused()) {
                ended = endLookOnce(Long.MAX_VALUE);
            } else if (!watch.open()) {
                return;
            } else if (look) {
                claim = compose();
                if (claim != null) {
                    look = false;
                    inFlight = true;
                    nextMillis = Long.MAX_VALUE;
                }
            } else {
                armTimer();
            }
        } finally {
            lock.unlock();
        }
        ended.forEach(Waiter::empty);
        if (claim != null) {
            claim.launch();
        }
    }

    @GuardedBy("lock") private void drop(Waiter waiter) {
        line.remove(waiter);
        if (!waiter.stays()) {
            limits.end(waiter);
        }
    }

    /** Removes those who look once and came no later than this. */
    @GuardedBy("lock") private List<Waiter> endLookOnce(long lastArrival) {
        List<Waiter> ended = line.lookers(lastArrival);
        ended.forEach(this::drop);
        return ended;
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
            if (terms != null && !terms.equals(waiter.terms())) {
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
        return terms == null ? null : new ClaimCall(core, this, terms, wants, Math.min(total, most), line.arrivals());
    }

    @GuardedBy("lock") private void armTimer() {
        if (line.isEmpty() || nextMillis >= timerMillis) {
            return;
        }
        if (timer != null) {
            timer.cancel();
        }
        timerMillis = nextMillis;
        long delay = Math.max(0, nextMillis - context.storageTime.nowMillis());
        timer = context.clock.schedule(Math.multiplyExact(Math.min(delay, 1L << 40), 1_000_000L), this::timerFired);
    }

    private void timerFired() {
        lock.lock();
        try {
            timer = null;
            timerMillis = Long.MAX_VALUE;
            nextMillis = Long.MAX_VALUE;
            look = true;
        } finally {
            lock.unlock();
        }
        pump();
    }

    /** The claim was answered. */
    void brought(ClaimCall claim, ClaimResult result) {
        context.storageTime.observe(result.storageMillis(), claim.sentNanos);
        int returned = result.messages().size();
        boolean exhausted = returned < claim.max && (result.nextMillis() > 0 || returned == 0);
        Shares shares = new Shares(this, claim);
        try {
            List<Delivered> left = shares.handOut(core.screen(result.messages(), claim.terms, claim.sentNanos));
            if (!left.isEmpty()) {
                core.giveBack(left);
            }
        } catch (RuntimeException | Error broken) {
            // Nothing of the user's runs here; but whatever happens, the intake goes on.
            LOG.error("handing out messages of queue '{}' failed; they return after their lease", core.name, broken);
        }
        List<Waiter> ended = List.of();
        boolean gathers;
        lock.lock();
        try {
            inFlight = false;
            landed.signalAll();
            for (Waiter served : shares.served()) {
                if (!served.stays()) {
                    drop(served); // who has ended by itself, and took nothing, leaves by itself
                }
            }
            gathers = !exhausted && gathers(claim.terms, shares.served());
            if (exhausted) {
                ended = endLookOnce(claim.lastArrival);
                Set<Waiter> asked = line.stayers().isEmpty() ? Set.of() : Want.waiters(claim.wants);
                for (Waiter waiter : line.stayers()) {
                    if (!asked.contains(waiter)) {
                        ended.add(waiter);
                    }
                }
                if (result.nextMillis() != ClaimResult.NONE) {
                    nextMillis = Math.min(nextMillis, result.storageMillis() + Math.max(1, result.nextMillis()));
                }
            } else {
                look = true;
            }
            line.toTheEnd(claim.wants);
        } finally {
            lock.unlock();
        }
        if (!gathers) {
            pump();
        }
        shares.tell(context, ended, gathers ? () -> context.whenCallbacksHaveRun(this::pump) : () -> {});
    }

    /**
     * Whether those who wait are claimed for together with those who come when they have what this claim brought, as in a
     * {@link Lane}.
     */
    @GuardedBy("lock") private boolean gathers(Terms terms, List<Waiter> served) {
        return line.stayers().isEmpty()
                && !line.isEmpty()
                && context.gathers(served.size(), line.size(), good(terms))
                && served.stream().noneMatch(Waiter::blocks)
                && !line.blocks();
    }

    private int good(Terms terms) {
        return terms.reserves() ? context.traits.goodBatch() : context.traits.goodTake();
    }

    /** Those who want messages on a claim's terms, and came when it had been composed. */
    List<Want> others(ClaimCall claim) {
        Set<Waiter> asked = Want.waiters(claim.wants);
        List<Want> others = new ArrayList<>();
        lock.lock();
        try {
            for (Waiter waiter : line) {
                if (!asked.contains(waiter) && claim.terms.equals(waiter.terms()) && !watch.paused()) {
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
        lock.lock();
        try {
            leaving = line.all();
            leaving.removeIf(Waiter::stays);
            leaving.forEach(this::drop);
        } finally {
            lock.unlock();
        }
        leaving.forEach(waiter -> waiter.failed(told));
    }

    /** The claim failed, or was not answered in time. */
    void failed(ClaimCall claim, Throwable failure) {
        RuntimeException told = Failures.fromStorage(claim.step, core.name, failure);
        lock.lock();
        try {
            inFlight = false;
            landed.signalAll();
            Set<Waiter> asked = Want.waiters(claim.wants);
            for (Waiter waiter : asked) {
                if (!waiter.stays()) {
                    drop(waiter);
                }
            }
            look |= !asked.containsAll(line.all());
        } finally {
            lock.unlock();
        }
        claim.wants.forEach(want -> want.waiter().failed(told));
        pump();
    }
}
