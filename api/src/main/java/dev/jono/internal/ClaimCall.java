package dev.jono.internal;

import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * One claim or take. What a claim brings after its time limit is given back. A take goes on, and no other begins, until the
 * storage has said what it took.
 */
final class ClaimCall extends StorageCall<ClaimResult> {
    private static final Log LOG = Log.named("dev.jono");

    private final QueueCore core;
    /** Among those of its queue. */
    final long number;

    final ClaimTerms terms;
    final List<Demand> demands;
    final int max;
    /** Who came later has not been looked for. */
    final long lastArrival;

    ClaimCall(QueueCore core, long number, ClaimTerms terms, List<Demand> wants, int max, long lastArrival) {
        super(core.context, core.name, terms.reserves() ? "reserve" : "pop", core.timeout);
        this.core = core;
        this.number = number;
        this.terms = terms;
        this.demands = wants;
        this.max = max;
        this.lastArrival = lastArrival;
    }

    @Override
    CompletionStage<ClaimResult> send(String token) {
        ClaimRequest request = terms.claim(max, token);
        return terms.reserves() ? core.store.claim(request) : core.store.take(request);
    }

    /** What was reserved returns after its lease; what was taken has to be found again. */
    @Override
    boolean persists() {
        return !terms.reserves();
    }

    @Override
    void overdue(Throwable failure) {
        core.consumers.claimLoop.overdue(this, failure);
    }

    @Override
    boolean wanted() {
        return terms.reserves() ? !context.closed() : !context.ended();
    }

    @Override
    void answered(ClaimResult result, boolean repeated) {
        core.consumers.claimLoop.brought(this, result);
    }

    @Override
    void failed(Throwable failure) {
        core.consumers.claimLoop.failed(this, failure);
    }

    /** Tells those for whom it was made that it brings nothing. */
    void tell(Throwable failure) {
        RuntimeException told = Failures.fromStorage(step, core.name, failure);
        demands.forEach(want -> want.waiter().failed(told));
    }

    /** What it brought cannot be read; logs what nobody can be told of it. */
    void unreadable(Throwable failure, boolean late) {
        if (!terms.reserves()) {
            LOG.error("what a pop took from queue '{}' cannot be read, and is lost", core.name, failure);
        } else if (late) {
            LOG.error(
                    "what a reserve brought from queue '{}' cannot be read; it returns after its lease",
                    core.name,
                    failure);
        }
    }

    @Override
    void late(ClaimResult result) {
        List<StoredMessage> messages;
        try {
            messages = result.messages();
        } catch (RuntimeException | Error failure) {
            unreadable(failure, true);
            return;
        }
        if (!messages.isEmpty()) {
            core.giveBack(messages.stream()
                    .map(message -> new HeldMessage(message, terms, sentNanos))
                    .toList());
        }
    }
}
