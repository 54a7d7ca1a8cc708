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

/**
 * One claim or take. Messages that a claim brings after its time limit are given back. A take continues after it, and no
 * other call is made, until the storage has said which messages it took: only this process can find them.
 */
final class ClaimCall extends StorageCall<ClaimResult> {
    private static final Log LOG = Log.named("dev.jono");

    private final QueueScope scope;
    private final Sink sink;
    /** Numbers the calls of one queue, in the order in which they are made. */
    final long number;

    final ClaimTerms terms;
    final List<Demand> demands;
    final int max;
    /** Waiters that came later were not considered. */
    final long lastArrival;

    /** Gets what becomes of the call. Called on the storage's threads. */
    interface Sink {
        /** It was answered. */
        void brought(ClaimCall claim, ClaimResult result);

        /** It failed, or was not answered in time. */
        void failed(ClaimCall claim, Throwable failure);

        /** It was not answered in time, and continues. */
        void overdue(ClaimCall claim, Throwable failure);

        /** It brought these messages after its time limit. */
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

    /** Notifies its waiters that it brings nothing. */
    void failWaiters(Throwable failure) {
        RuntimeException reported = Failures.fromStorage(step, queue, failure);
        demands.forEach(want -> want.waiter().failed(reported));
    }

    /** Its messages cannot be read: logs what no waiter can be notified of. */
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
            unreadable(failure, true);
            return;
        }
        if (!messages.isEmpty()) {
            sink.broughtTooLate(messages.stream()
                    .map(message -> new HeldMessage(message, terms, sentNanos))
                    .toList());
        }
    }
}
