package dev.jono.backend.mongo;

import dev.jono.StorageException;
import dev.jono.spi.ClaimResult;
import dev.jono.support.mongo.RepeatableCalls;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The steps that takes and claims of one queue share: they put back messages with expired leases, get due messages with
 * one command or with a {@link BatchClaim}, and find out when the next message is due. Blocks the calling thread;
 * thread-safe.
 */
final class ClaimSteps {
    private final QueueCollection queue;
    private final ExpiredLeases expiredLeases;
    private final Candidates candidates;
    private final BatchClaim batches;

    ClaimSteps(QueueCollection queue) {
        this.queue = queue;
        this.expiredLeases = new ExpiredLeases(queue);
        this.candidates = new Candidates(queue);
        this.batches = new BatchClaim(queue, candidates);
    }

    /** Runs one call for at most {@code demand} messages. */
    ClaimResult run(ClaimCall call, int demand, RepeatableCalls.Running<ClaimResult> running) {
        expiredLeases.putBack(call.step());
        int max = candidates.limit(demand);
        if (max == 1 && call.fitsOneCommand()) {
            return one(call, running);
        }
        ClaimedBatch batch = queue.call(call.step(), true, () -> batches.run(call, max, running));
        if (batch.more() || batch.messages().size() >= max) {
            return batch.result(0);
        }
        return batch.result(batch.messages().isEmpty() ? nextMillis(call) : nextMillisOrNow(call));
    }

    void leaseStarted(long leaseMillis) {
        expiredLeases.leaseStarted(leaseMillis);
    }

    private ClaimResult one(ClaimCall call, RepeatableCalls.Running<ClaimResult> running) {
        Function<Optional<StoredDocument>, ClaimResult> result = found -> result(call, found);
        return result.apply(queue.call(call.step(), true, () -> {
            queue.link.time(); // read now: after a message is removed or marked, nothing may fail
            return call.sendOne(later -> running.onRepeat(() -> later.get().map(result)));
        }));
    }

    private ClaimResult result(ClaimCall call, Optional<StoredDocument> one) {
        long now = queue.link.lastKnownTime().nowMillis();
        if (one.isEmpty()) {
            return new ClaimedBatch(List.of(), false, now).result(nextMillis(call));
        }
        StoredDocument found = one.get();
        candidates.recordSize(1, found.payload().size());
        return call.one(found, now).result(0);
    }

    private long nextMillis(ClaimCall call) {
        return queue.call(call.step(), false, () -> NextDue.millis(queue));
    }

    /** Used after messages were claimed: a failure of this query must not lose them. */
    private long nextMillisOrNow(ClaimCall call) {
        try {
            return nextMillis(call);
        } catch (StorageException failure) {
            return 0; // the engine claims again at once, and then meets the failure with no message in hand
        }
    }
}
