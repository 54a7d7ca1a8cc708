package dev.jono.internal.settle;

import dev.jono.Lease;
import dev.jono.PartialFailureException;
import dev.jono.StaleReservationException;
import dev.jono.internal.batch.SettleLane;
import dev.jono.internal.concurrent.Completions;
import dev.jono.internal.core.QueueCore;
import dev.jono.internal.core.QueueHandle;
import dev.jono.internal.runtime.Failures;
import dev.jono.spi.Counter;
import dev.jono.spi.Receipt;
import dev.jono.spi.SettleResult.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Acks many reservations in few calls. */
public final class AckAll {
    private AckAll() {}

    public static CompletableFuture<Void> all(QueueHandle handle, Collection<? extends Lease> leases, boolean wait) {
        QueueCore core = handle.core;
        core.context.requireOpen(core.name);
        List<Receipt> receipts = new ArrayList<>(leases.size());
        List<LeaseImpl> own = new ArrayList<>(leases.size());
        // All are checked before the first is begun: a mistake in the list leaves every reservation as it was.
        for (Lease lease : leases) {
            Objects.requireNonNull(
                    lease, () -> "reservation of the list for queue '" + core.name + "' is null; nothing was acked");
            if (lease instanceof LeaseImpl ours && !ours.handle.name().equals(core.name)) {
                throw new IllegalArgumentException("message " + lease.id() + " is reserved from queue '"
                        + ours.handle.name() + "', not from '" + core.name + "'; nothing was acked");
            }
            if (lease instanceof LeaseImpl ours) {
                own.add(ours);
                receipts.add(ours.key());
            } else {
                receipts.add(Receipt.parse(lease.receipt()));
            }
        }
        own.forEach(LeaseImpl::begin);
        List<SettleLane.Settle<Receipt>> calls = new ArrayList<>();
        int most = core.context.traits.maxBatch();
        for (int from = 0; from < receipts.size(); from += most) {
            calls.add(new SettleLane.Settle<>(receipts.subList(from, Math.min(receipts.size(), from + most))));
        }
        for (SettleLane.Settle<Receipt> call : calls) {
            if (wait) {
                try {
                    core.acks.submitBlocking(call, handle.settings.bounds());
                } catch (RuntimeException refused) {
                    // The calls before it are in flight; each reservation of the list gets its own result.
                    call.fail(refused);
                }
            } else {
                core.acks.submitAsync(call, handle.settings.bounds());
            }
        }
        if (wait) {
            awaitEach(handle, calls);
        }
        return CompletableFuture.allOf(calls.stream().map(c -> c.done).toArray(CompletableFuture[]::new))
                .handle((done, failure) -> {
                    List<PartialFailureException.Result> results = new ArrayList<>(receipts.size());
                    long acked = 0;
                    for (SettleLane.Settle<Receipt> call : calls) {
                        acked += results(core, call, results);
                    }
                    core.pendingCounts.add(Counter.ACKED, acked);
                    int at = 0;
                    for (Lease lease : leases) {
                        RuntimeException failed = results.get(at++).failure();
                        if (failed != null && !Failures.stale(failed) && lease instanceof LeaseImpl ours) {
                            ours.unsettled();
                        }
                    }
                    if (acked < receipts.size()) {
                        throw new PartialFailureException("ack", core.name, results);
                    }
                    return null;
                });
    }

    /** Waits for each call; a late one fails by itself, so that each reservation of the list gets its own result. */
    private static void awaitEach(QueueHandle handle, List<SettleLane.Settle<Receipt>> calls) {
        boolean late = false;
        for (SettleLane.Settle<Receipt> call : calls) {
            try {
                if (!late) {
                    handle.await("ack", handle.core.acks, call, call.done);
                } else if (!call.done.isDone()) {
                    call.fail(handle.late("ack", handle.core.acks.withdraw(call)));
                }
            } catch (RuntimeException failure) {
                late |= !call.done.isDone();
                call.fail(failure);
            }
        }
    }

    private static long results(
            QueueCore core, SettleLane.Settle<Receipt> call, List<PartialFailureException.Result> results) {
        List<Outcome> outcomes = List.of();
        RuntimeException failure = null;
        try {
            outcomes = call.done.join();
        } catch (RuntimeException e) {
            failure = Completions.toThrow(e);
        }
        long acked = 0;
        for (int i = 0; i < call.items.size(); i++) {
            String id = call.items.get(i).id();
            if (failure != null) {
                results.add(PartialFailureException.Result.failed(id, failure));
            } else if (outcomes.get(i) == Outcome.DONE) {
                results.add(PartialFailureException.Result.done(id));
                acked++;
            } else {
                results.add(PartialFailureException.Result.failed(
                        id, new StaleReservationException("ack", core.name, id, outcomes.get(i) == Outcome.GONE)));
            }
        }
        return acked;
    }
}
