package dev.jono.internal.claim;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.internal.concurrent.CoalescedStep;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.internal.runtime.QueueScope;
import dev.jono.internal.wake.Poller;
import dev.jono.internal.wake.QueueSignals;
import dev.jono.internal.wake.QueueWatch;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.Signaller;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The waiters of one queue in this process.
 *
 * <p>A claim is made only when there is a reason ({@link ClaimTrigger}). A signal that comes while a claim is in flight is
 * remembered, and is the reason for the next claim. While there are waiters, the queue is <em>active</em>: it is subscribed to
 * signals, its paused flag is known, and it is probed at the poll interval.
 *
 * <p>Called on the threads of callers, signals, timers and the storage. The lock is never held while the storage, the
 * signaller or a waiter is called. The exceptions are the methods of {@link Waiter} that its class comment lists.
 */
public final class WaitingConsumers implements QueueWatch.Listener {
    private final Poller.Polled queue;
    private final QueueSignals signals;
    private final EngineContext context;
    private final CoalescedStep coalescedPump;
    private final ReentrantLock lock = new ReentrantLock();
    private final QueueWatch watch;

    /** Makes the claims. */
    public final ClaimLoop claimLoop;

    @GuardedBy("lock") private final WaitingLine line;

    private final ClaimTrigger trigger;

    /** The waiters of one queue. */
    public WaitingConsumers(
            QueueScope scope,
            Poller.Polled queue,
            QueueSignals signals,
            Poller poller,
            DeliveryLimit limit,
            GiveBack.Lanes lanes) {
        this.queue = queue;
        this.signals = signals;
        this.context = scope.context();
        this.watch = new QueueWatch(context, signals, poller, queue, this);
        this.line = new WaitingLine();
        this.trigger = new ClaimTrigger(context);
        this.claimLoop = new ClaimLoop(scope, watch, lock, line, trigger, limit, lanes);
        this.coalescedPump = new CoalescedStep(context.callbacks, claimLoop::pump);
    }

    JonoClock clock() {
        return context.clock;
    }

    /** Adds a waiter, and makes a claim if none is in flight. */
    public void add(Waiter waiter) {
        boolean first;
        boolean enough;
        lock.lock();
        try {
            line.add(waiter);
            enough = line.notInClaim() >= waiter.terms().enough(context.traits);
            trigger.set();
            first = watch.begin();
        } finally {
            lock.unlock();
        }
        if (first) {
            watch.listen();
        }
        if (enough || waiter.hasBlockedThread()) {
            claimLoop.pump();
        } else {
            coalescedPump.request();
        }
    }

    /** Removes a waiter; does nothing if it does not wait. */
    public void remove(Waiter waiter) {
        lock.lock();
        try {
            line.remove(waiter);
        } finally {
            lock.unlock();
        }
    }

    /** Ends all waits. Called when the factory closes. */
    public void close() {
        List<Waiter> all = waiting();
        cancel(all, user -> true);
        lock.lock();
        try {
            all.forEach(line::remove);
        } finally {
            lock.unlock();
        }
        claimLoop.giveBackLeftover();
        stayActive();
    }

    /** Ends the calls of an owner that wait; returns how many. */
    public int cancel(Object owner) {
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

    private static int cancel(List<Waiter> waiters, Predicate<CallWaiter> which) {
        int ended = 0;
        for (Waiter waiter : waiters) {
            ended += waiter instanceof CallWaiter user && which.test(user) && user.cancel() ? 1 : 0;
        }
        return ended;
    }

    /** Whether a claim would be made if a waiter wanted messages. Acquires no lock. */
    public boolean mayHaveMessages() {
        return trigger.isSet() && watch.open();
    }

    /** As {@link #mayHaveMessages}, and also while it is not known whether the queue is paused. Acquires no lock. */
    public boolean mayGetMessages() {
        return trigger.isSet() && !watch.paused();
    }

    /** Whether both belong to the same queue: queue objects with different options can have different cores. */
    public boolean sameQueue(WaitingConsumers other) {
        return queue.equals(other.queue)
                || (queue.name().equals(other.queue.name())
                        && Objects.equals(queue.pipeline(), other.queue.pipeline()));
    }

    /** The watch that keeps the paused flag of the queue. */
    public QueueWatch watch() {
        return watch;
    }

    /** The queue was paused or resumed, or its paused flag was read for the first time. */
    @Override
    public void pauseChanged(boolean paused) {
        List<Waiter> all;
        lock.lock();
        try {
            trigger.set();
            all = line.all();
        } finally {
            lock.unlock();
        }
        all.forEach(waiter -> waiter.pauseChanged(paused));
        claimLoop.pump();
    }

    /** Messages were inserted, due at this time by the storage's clock. */
    @Override
    public void messagesDue(long dueMillis) {
        lock.lock();
        try {
            trigger.setAt(dueMillis);
            if (line.isEmpty()) {
                return;
            }
        } finally {
            lock.unlock();
        }
        claimLoop.pump();
    }

    /** A probe says that a message is due in this many milliseconds; {@link ClaimResult#NONE} for no message. */
    public void probed(long millis) {
        if (millis != ClaimResult.NONE) {
            messagesDue(context.storageClock.nowMillis() + Math.max(0, millis));
        }
    }

    /** Ends the active state if there is no waiter and no claim in flight; returns whether the queue is still active. */
    public boolean stayActive() {
        Signaller.Subscription ended;
        lock.lock();
        try {
            if (!line.isEmpty() || !claimLoop.idle()) {
                return true;
            }
            ended = watch.end();
            trigger.disarm();
        } finally {
            lock.unlock();
        }
        signals.unsubscribe(ended);
        return false;
    }
}
