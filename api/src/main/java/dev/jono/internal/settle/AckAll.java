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

/** Acks many reservations in few storage calls. Called on the threads of users, with no lock held. Stateless. */
public final class AckAll {
    private AckAll() {}

    /**
     * Acks all these reservations.
     *
     * @param wait whether to wait for room in the lane and for the answers
     * @return fails with {@link PartialFailureException} if a reservation was not acked
     * @throws IllegalArgumentException if a reservation is of another queue; nothing is acked then
     */
    public static CompletableFuture<Void> all(QueueHandle handle, Collection<? extends Lease> leases, boolean wait) {
        QueueCore core = handle.core;
        core.context.requireOpen(core.name);
        List<Receipt> receipts = receipts(core, leases);
        leases.forEach(lease -> {
            if (lease instanceof LeaseImpl ours) {
                ours.beginSettling();
            }
        });
        List<SettleLane.Settle<Receipt>> calls = new ArrayList<>();
        int max = core.context.traits.maxBatch();
        for (int from = 0; from < receipts.size(); from += max) {
            calls.add(new SettleLane.Settle<>(receipts.subList(from, Math.min(receipts.size(), from + max))));
        }
        calls.forEach(call -> submit(handle, call, wait));
        if (wait) {
            awaitEach(handle, calls);
        }
        return CompletableFuture.allOf(calls.stream().map(c -> c.done).toArray(CompletableFuture[]::new))
                .handle((done, failure) -> {
                    finish(core, leases, calls);
                    return null;
                });
    }

    /** The receipts. All are checked before the first ack, so that a mistake in the list changes no reservation. */
    private static List<Receipt> receipts(QueueCore core, Collection<? extends Lease> leases) {
        List<Receipt> receipts = new ArrayList<>(leases.size());
        for (Lease lease : leases) {
            Objects.requireNonNull(
                    lease, () -> "a reservation of the list for queue '" + core.name + "' is null; nothing was acked");
            if (lease instanceof LeaseImpl ours && !ours.handle.name().equals(core.name)) {
                throw new IllegalArgumentException("message " + lease.id() + " is reserved from queue '"
                        + ours.handle.name() + "', not from '" + core.name + "'; nothing was acked");
            }
            receipts.add(lease instanceof LeaseImpl ours ? ours.parsedReceipt() : Receipt.parse(lease.receipt()));
        }
        return receipts;
    }

    private static void submit(QueueHandle handle, SettleLane.Settle<Receipt> call, boolean wait) {
        if (!wait) {
            handle.core.acks.submitAsync(call, handle.settings.bounds());
            return;
        }
        try {
            handle.core.acks.submitBlocking(call, handle.settings.bounds());
        } catch (RuntimeException refused) {
            // Earlier calls are in flight, so the refusal is the result of these reservations only.
            call.fail(refused);
        }
    }

    /** Counts the acks. Reservations whose ack failed can be settled again. Throws if one failed. */
    private static void finish(
            QueueCore core, Collection<? extends Lease> leases, List<SettleLane.Settle<Receipt>> calls) {
        List<PartialFailureException.Result> results = new ArrayList<>(leases.size());
        long acked = 0;
        for (SettleLane.Settle<Receipt> call : calls) {
            acked += results(core, call, results);
        }
        core.pendingCounts.add(Counter.ACKED, acked);
        int at = 0;
        for (Lease lease : leases) {
            RuntimeException failed = results.get(at++).failure();
            if (failed != null && !Failures.stale(failed) && lease instanceof LeaseImpl ours) {
                ours.endSettling();
            }
        }
        if (acked < leases.size()) {
            throw new PartialFailureException("ack", core.name, results);
        }
    }

    /**
     * Waits for the calls. When one is late, the others are not waited for any longer: those that are not answered fail. So
     * each reservation of the list has its own result.
     */
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
