package dev.jono.internal.claim;

import dev.jono.internal.concurrent.SerialLoop;
import dev.jono.internal.log.Log;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.internal.runtime.Failures;
import dev.jono.internal.runtime.QueueScope;
import dev.jono.internal.wake.QueueWatch;
import dev.jono.spi.ClaimResult;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

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
     * If A had ended its wait at step 3, claim 2 would be in flight when its message turns out to be left over. Then the message is
     * kept, and handed out before what claim 2 brings, so that the order is as if claim 2 had waited. Messages
     * that no waiter accepts are given back (GiveBack); no claim is made until they are back.
     *
     * As in a lane (see there), the next claim may wait until the callers of the last one have made their next calls.
     */

    private static final Log LOG = Log.named("dev.jono");

    private final QueueScope scope;
    private final DeliveryLimit limit;
    private final EngineContext context;
    private final SerialLoop loop;
    private final ClaimState state;

    /** Gives back messages that no waiter takes. */
    public final GiveBack giveBack;

    /**
     * The claims of one queue.
     *
     * @param lock guards the line, the trigger and the state of claims
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
        this.loop = new SerialLoop(this::claimAndHandOut, context::handOver);
        Condition landed = lock.newCondition();
        this.giveBack = new GiveBack(scope, lanes, lock, landed, this::pump);
        this.state = new ClaimState(context, watch, giveBack, lock, landed, line, trigger);
    }

    /** Whether no claim is in flight, and all that came is handed out. */
    boolean idle() {
        return state.isIdle();
    }

    /**
     * Waits until no claim made so far is in flight, and what they brought is handed out or back. An interrupt does not end
     * the wait. Returns false at the deadline.
     */
    public boolean awaitLanded(long deadlineNanos) {
        return state.awaitLanded(deadlineNanos);
    }

    // ---- claiming -------------------------------------------------------------------------------------------

    /** Makes a claim if there is a reason, and a waiter that wants messages. */
    public void pump() {
        state.callersHaveBegun();
        loop.request();
    }

    private SerialLoop.Next claimAndHandOut() {
        guarded(this::step);
        if (!state.hasAnswer()) {
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

    private void step() {
        ClaimState.Step step = state.next(
                (number, demands, lastArrival) -> new ClaimCall(scope, this, number, demands, lastArrival),
                this::timerFired);
        step.ended().forEach(Waiter::queueEmpty);
        if (step.claim() != null) {
            step.claim().launch();
        }
    }

    private void timerFired() {
        state.timerFired();
        pump();
    }

    @Override
    public void brought(ClaimCall claim, ClaimResult result) {
        context.storageClock.observe(result.storageMillis(), claim.sentNanos);
        state.brought(claim, result);
        loop.request();
    }

    // ---- handing out ----------------------------------------------------------------------------------------

    /** Hands out the first answered claim. */
    private void handOut() {
        ClaimState.Next next = state.takeFirst();
        if (next == null) {
            return;
        }
        try {
            handOut(next.claim(), next.leftoverBefore());
        } catch (RuntimeException | Error broken) {
            state.remove(next.claim()); // otherwise it would be handed out again without end
            throw broken;
        }
    }

    private void handOut(AnsweredClaim answered, List<HeldMessage> leftoverBefore) {
        ClaimCall claim = answered.claim();
        List<HeldMessage> messages;
        try {
            messages = limit.apply(answered.result().messages(), claim.terms, claim.sentNanos);
        } catch (RuntimeException | Error unreadable) {
            unreadable(answered, leftoverBefore, unreadable);
            return;
        }
        if (!leftoverBefore.isEmpty() && HeldMessage.anyIsolated(messages)) {
            giveBack.give(leftoverBefore);
        } else {
            messages.addAll(0, leftoverBefore);
        }
        HandOut handOut = new HandOut(claim, state::others);
        List<HeldMessage> leftover = List.of();
        try {
            leftover = handOut.handOut(messages);
        } catch (RuntimeException | Error broken) {
            // No code of the application runs here; but whatever happens, the loop continues.
            LOG.error("handing out messages of queue '{}' failed; they return after their lease", scope.name(), broken);
        }
        ClaimState.HandedOut handedOut = state.handedOut(answered, handOut.toNotify(), leftover);
        if (handedOut.back() != null) {
            giveBack.giveBegun(handedOut.back());
        }
        try {
            step();
        } finally {
            handOut.notifyWaiters(
                    context,
                    handedOut.ended(),
                    answered.nextWaits() ? () -> context.callbacks.enqueueStep(this::pump) : () -> {});
        }
    }

    // ---- failures -------------------------------------------------------------------------------------------

    /** What a claim brought cannot be read, as if it had failed. What was kept of the one before goes back. */
    private void unreadable(AnsweredClaim answered, List<HeldMessage> leftoverBefore, Throwable failure) {
        state.unreadable(answered);
        giveBack.giveBegun(leftoverBefore);
        answered.claim().unreadable(failure, /* late= */ false);
        answered.claim().failWaiters(failure);
    }

    /** All callers get the failure, also those that are part of no claim; workers stay. */
    @Override
    public void overdue(ClaimCall claim, Throwable failure) {
        RuntimeException reported = Failures.fromStorage(claim.step, scope.name(), failure);
        List<Waiter> leaving = state.removeCallers();
        giveBackLeftover();
        leaving.forEach(waiter -> waiter.failed(reported));
    }

    @Override
    public void failed(ClaimCall claim, Throwable failure) {
        giveBack.giveBegun(state.failed(claim));
        claim.failWaiters(failure);
        pump();
    }

    @Override
    public void broughtTooLate(List<HeldMessage> messages) {
        giveBack.give(messages);
    }

    /** Gives back the leftover messages that were kept for a claim which brings nothing, or not soon. */
    void giveBackLeftover() {
        giveBack.giveBegun(state.dropLeftover());
        loop.request();
    }
}
