package dev.jono.internal;

import dev.jono.spi.Due;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.QueueStore;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.Signaller;
import dev.jono.spi.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What all objects of one queue in a factory share: its lanes to the storage, its intake, signals and counters. */
final class QueueCore {
    private static final Log LOG = Log.named("dev.jono");

    final EngineContext context;
    final String name;
    final QueueStore store;
    final Duration timeout;
    final long pollNanos;
    final StatsHub stats;
    final Poller poller;
    final PendingCounts pendingCounts;
    final QueueSignals signals;
    final WaitingConsumers consumers;
    /** The pipeline that it belongs to; null where the backend keeps none apart. */
    final @Nullable String pipeline;

    /** The queues beside it, of the same pipeline. */
    final Function<String, QueueCore> others;

    final InsertLane ordered;
    final InsertLane unordered;
    final SettleLane<Receipt> acks;
    final SettleLane<ReleaseRequest.Item> releases;
    final SettleLane<MoveItem> moves;
    final RestoreLane restores;
    final SettleLane<Receipt> extensions;
    private final Set<CompletableFuture<?>> unfinished = ConcurrentHashMap.newKeySet();

    /** What a core is built from. */
    record Parts(
            EngineContext context,
            String name,
            QueueStore store,
            Duration timeout,
            Duration pollInterval,
            StatsHub stats,
            Signaller signaller,
            boolean carried,
            Poller poller,
            @Nullable String pipeline,
            Function<String, QueueCore> others) {}

    QueueCore(Parts parts) {
        this.context = parts.context();
        this.name = parts.name();
        this.store = parts.store();
        this.timeout = parts.timeout();
        this.pollNanos = parts.pollInterval().toNanos();
        this.stats = parts.stats();
        this.poller = parts.poller();
        this.pipeline = parts.pipeline();
        this.others = parts.others();
        this.pendingCounts = new PendingCounts(stats, name);
        this.signals = new QueueSignals(this, parts.signaller(), parts.carried());
        this.consumers = new WaitingConsumers(this);
        this.ordered = new InsertLane(this, 1, timeout);
        this.unordered = new InsertLane(this, Math.max(1, context.traits.maxConcurrentInserts()), timeout);
        this.acks = new SettleLane<>(
                this,
                "ack",
                true,
                true,
                (receipts, lease, token) -> store.ack(
                        SettleRequest.builder().receipts(receipts).token(token).build()),
                done -> {});
        this.releases = new SettleLane<>(
                this,
                "release",
                true,
                false,
                (items, lease, token) -> store.release(ReleaseRequest.builder()
                        .items(items)
                        .token(token)
                        .announce(signals.carried())
                        .build()),
                this::released);
        this.moves = new SettleLane<>(
                this,
                "move",
                true,
                false,
                (items, lease, token) -> store.move(MoveRequest.builder()
                        .items(items)
                        .token(token)
                        .announce(signals.carried())
                        .build()),
                this::moved);
        this.extensions = new SettleLane<>(
                this,
                "extend",
                false,
                false,
                (receipts, lease, token) -> store.extend(ExtendRequest.builder()
                        .receipts(receipts)
                        .leaseMillis(lease)
                        .token(token)
                        .build()),
                done -> {});
        this.restores = new RestoreLane(this, timeout);
    }

    private void released(List<ReleaseRequest.Item> done) {
        long now = context.storageClock.nowMillis();
        long earliest = done.stream()
                .mapToLong(item -> item.due() == null ? 1 : item.due().resolve(now))
                .min()
                .orElse(1);
        signals.inserted(earliest);
    }

    private void moved(List<MoveItem> done) {
        long now = context.storageClock.nowMillis();
        done.stream()
                .collect(java.util.stream.Collectors.toMap(
                        MoveItem::toQueue, item -> item.due().resolve(now), Math::min))
                .forEach((queue, due) -> {
                    QueueCore target = others.apply(queue);
                    target.signals.inserted(due);
                });
    }

    /** Sorts out of a claim's messages those that were delivered as often as they may be: they go to the dead letter. */
    List<HeldMessage> screen(List<StoredMessage> messages, ClaimTerms terms, long sentNanos) {
        List<HeldMessage> handed = new ArrayList<>(messages.size());
        for (StoredMessage message : messages) {
            HeldMessage delivered = new HeldMessage(message, terms, sentNanos);
            if (terms.reserves() && message.tries() >= terms.maxDeliveries() && !name.equals(terms.deadLetterQueue())) {
                String reason = message.expired() ? DeadLetters.EXPIRED : DeadLetters.LIMIT;
                String error = message.expired() ? "the lease of its last delivery ended unsettled" : null;
                // The delivery that ended here is the last one, so one less came before it.
                StoredMessage ended = message.with(message.dueMillis(), Math.max(0, message.tries() - 1));
                DeadLetters.move(this, delivered.receipt(), ended, terms.deadLetterQueue(), reason, error)
                        .whenComplete((done, failure) -> {
                            if (failure != null) {
                                LOG.outage(
                                        context.outages,
                                        failure,
                                        "message {} of queue '{}' could not be moved to the dead letter; tried again after its lease",
                                        message.id(),
                                        name);
                            }
                        });
            } else {
                handed.add(delivered);
            }
        }
        return handed;
    }

    /**
     * Gives back, uncounted and to its old place, what was claimed or taken and not handed out. Repeated until it is
     * done: of what was taken this process has the only copy. What is still held when the factory closes returns after
     * its lease. Until it is back this process claims no more of the queue.
     */
    CompletableFuture<Void> giveBack(List<HeldMessage> messages) {
        return giveBack(messages, null);
    }

    /** As {@link #giveBack(List)}, but what was claimed stays away until then; null for its old place. */
    CompletableFuture<Void> giveBack(List<HeldMessage> messages, @Nullable Due due) {
        List<ReleaseRequest.Item> held = messages.stream()
                .filter(m -> m.terms.reserves())
                .map(m -> ReleaseRequest.Item.of(m.receipt(), due, false))
                .toList();
        List<StoredMessage> taken = messages.stream()
                .filter(m -> !m.terms.reserves())
                .map(m -> m.message)
                .toList();
        CompletableFuture<Void> released = held.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : persistently("release", () -> {
                    SettleLane.Settle<ReleaseRequest.Item> call = new SettleLane.Settle<>(held);
                    releases.submitInternal(call);
                    return call.done;
                });
        CompletableFuture<Void> restored = taken.isEmpty() ? CompletableFuture.completedFuture(null) : restore(taken);
        CompletableFuture<Void> back = CompletableFuture.allOf(released, restored);
        consumers.claimLoop.giveBack.await(back);
        return back;
    }

    /** Puts back what was taken, repeated until it is done: what is back may be taken, and must not come a second time. */
    CompletableFuture<Void> restore(List<StoredMessage> messages) {
        AtomicReference<List<StoredMessage>> left = new AtomicReference<>(messages);
        return persistently("restore", () -> {
            RestoreLane.Restore call = new RestoreLane.Restore(Objects.requireNonNull(left.get()));
            restores.submitInternal(call);
            return call.done.whenComplete((done, failure) -> left.set(call.left));
        });
    }

    /** Does something again, with a growing pause, until the storage has done it or the factory is at its end. */
    CompletableFuture<Void> persistently(String step, Supplier<CompletableFuture<?>> attempt) {
        CompletableFuture<Void> done = unfinished(new CompletableFuture<>());
        attempt(step, 0, attempt, done);
        return done;
    }

    private void attempt(
            String step, int failures, Supplier<CompletableFuture<?>> attempt, CompletableFuture<Void> done) {
        attempt.get().whenComplete((result, failure) -> {
            if (failure == null) {
                done.complete(null);
            } else if (context.ended()) {
                LOG.error("{} on queue '{}' failed while the factory closes", step, name, failure);
                done.completeExceptionally(failure);
            } else {
                long pauseMillis = Math.min(10_000, 50L << Math.min(failures, 10));
                LOG.outage(
                        context.outages,
                        failure,
                        "{} on queue '{}' failed; tried again in {} ms",
                        step,
                        name,
                        pauseMillis);
                context.clock.schedule(pauseMillis * 1_000_000, () -> attempt(step, failures + 1, attempt, done));
            }
        });
    }

    /** Something that takes several calls, or several attempts: the close of the factory waits for it. */
    @SuppressWarnings("CollectionUndefinedEquality") // identity is what is meant
    <F extends CompletableFuture<?>> F unfinished(F work) {
        unfinished.add(work);
        work.whenComplete((done, failure) -> unfinished.remove(work));
        return work;
    }

    /** Completes when all that is unfinished now has ended, well or not. */
    CompletableFuture<?> finished() {
        return CompletableFuture.allOf(unfinished.toArray(CompletableFuture[]::new))
                .exceptionally(failure -> null);
    }

    /** All lanes, for quiet at the end. */
    Stream<Lane<?, ?>> lanes() {
        return Stream.of(ordered, unordered, acks, releases, moves, restores, extensions);
    }
}
