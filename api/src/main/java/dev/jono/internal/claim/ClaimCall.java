package dev.jono.internal.claim;

import dev.jono.internal.batch.StorageCall;
import dev.jono.internal.log.Log;
import dev.jono.internal.runtime.Failures;
import dev.jono.internal.runtime.QueueScope;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One storage call that claims (leases) or takes (removes) messages for waiters. If a claim is answered after its time limit,
 * its messages are given back. A take continues after its time limit, and no other call is made, until the storage has said
 * which messages it took, because no other process can find them.
 *
 * <p>Sent on the threads of callers, signals and timers; answered on those of the storage. No lock is held.
 */
final class ClaimCall extends StorageCall<ClaimResult> {
    private static final Log LOG = Log.named("dev.jono");

    private final QueueScope scope;
    private final Sink sink;
    /** The calls of one queue are numbered in the order in which they are made. */
    final long number;

    final ClaimTerms terms;
    final List<Demand> demands;
    final int max;
    /** The number of the last waiter that had been added when the call was made; later waiters cannot be part of it. */
    final long lastArrival;

    /** Receives the results of calls. Called on the threads of the storage and of timers, with no lock held. */
    interface Sink {
        /** The call was answered. */
        void brought(ClaimCall claim, ClaimResult result);

        /** The call failed, or a claim was not answered in time. */
        void failed(ClaimCall claim, Throwable failure);

        /** A take was not answered in time, and continues. */
        void overdue(ClaimCall claim, Throwable failure);

        /** A claim was answered after its time limit, with these messages. */
        void broughtTooLate(List<HeldMessage> messages);
    }

    ClaimCall(QueueScope scope, Sink sink, long number, WaitingLine.Demands demands, long lastArrival) {
        super(scope, demands.terms().reserves() ? "reserve" : "pop");
        this.scope = scope;
        this.sink = sink;
        this.number = number;
        this.terms = demands.terms();
        this.demands = demands.each();
        this.max = demands.total();
        this.lastArrival = lastArrival;
    }

    @Override
    protected CompletionStage<ClaimResult> send(String token) {
        ClaimRequest request = terms.claim(max, token);
        return terms.reserves() ? scope.store().claim(request) : scope.store().take(request);
    }

    @Override
    protected int messages(@Nullable ClaimResult answer) {
        return answer == null ? 0 : answer.size();
    }

    /** Reserved messages return after their lease; taken messages must be found again. */
    @Override
    protected boolean persists() {
        return !terms.reserves();
    }

    @Override
    protected void overdue(Throwable failure) {
        sink.overdue(this, failure);
    }

    @Override
    protected boolean wanted() {
        return terms.reserves() ? !context.closed() : !context.ended();
    }

    @Override
    protected void answered(ClaimResult result, boolean repeated) {
        sink.brought(this, result);
    }

    @Override
    protected void failed(Throwable failure) {
        sink.failed(this, failure);
    }

    /** Fails the waiters of the call. */
    void failWaiters(Throwable failure) {
        RuntimeException reported = Failures.fromStorage(step, queue, failure);
        demands.forEach(demand -> demand.waiter().failed(reported));
    }

    /**
     * The messages of the answer cannot be read: logs what no waiter reports.
     *
     * @param late whether the waiters have failed before, so that the failure is reported here only
     */
    void unreadable(Throwable failure, boolean late) {
        if (!terms.reserves()) {
            LOG.error("messages that a pop took from queue '{}' cannot be read, and are lost", queue, failure);
        } else if (late) {
            LOG.error(
                    "messages that were reserved from queue '{}' cannot be read; they return after their lease",
                    queue,
                    failure);
        }
    }

    @Override
    protected void late(ClaimResult result) {
        List<StoredMessage> messages;
        try {
            messages = result.messages();
        } catch (RuntimeException | Error failure) {
            unreadable(failure, /* late= */ true);
            return;
        }
        if (!messages.isEmpty()) {
            sink.broughtTooLate(messages.stream()
                    .map(message -> new HeldMessage(message, terms, sentNanos))
                    .toList());
        }
    }
}
