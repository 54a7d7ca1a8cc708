package dev.jono.internal.core;

import dev.jono.internal.batch.InsertLane;
import dev.jono.internal.batch.Lane;
import dev.jono.internal.batch.RestoreLane;
import dev.jono.internal.batch.SettleLane;
import dev.jono.internal.claim.DeliveryLimit;
import dev.jono.internal.claim.GiveBack;
import dev.jono.internal.claim.WaitingConsumers;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.internal.runtime.QueueScope;
import dev.jono.internal.runtime.UnfinishedWork;
import dev.jono.internal.stats.PendingCounts;
import dev.jono.internal.stats.StatsHub;
import dev.jono.internal.wake.CommitWatch;
import dev.jono.internal.wake.Poller;
import dev.jono.internal.wake.QueueSignals;
import dev.jono.internal.wake.QueueWatch;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.MoveItem;
import dev.jono.spi.MoveRequest;
import dev.jono.spi.QueueStore;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.Signaller;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One queue of a factory: its lanes to the storage, its waiters, signals and counters. Queue objects share it if they have the
 * same name, signaller, stats, pipeline and history. Created when a queue is opened; called on any thread. Thread-safe.
 */
public final class QueueCore implements Poller.Polled {
    public final QueueScope scope;
    public final EngineContext context;
    public final String name;
    public final QueueStore store;
    public final Duration timeout;
    final long pollNanos;
    public final StatsHub stats;
    final Poller poller;
    public final CommitWatch commits;
    public final PendingCounts pendingCounts;
    public final QueueSignals signals;
    public final WaitingConsumers consumers;
    /** The pipeline of the queue; null where the backend has none. */
    public final @Nullable String pipeline;

    /** Opens other queues of the same pipeline by name. */
    public final Function<String, QueueCore> others;

    /** Keeps the order of pushes: one batch is in flight at a time. */
    public final InsertLane ordered;

    /** Sends several batches at a time. */
    public final InsertLane unordered;

    public final SettleLane<Receipt> acks;
    public final SettleLane<ReleaseRequest.Item> releases;
    public final SettleLane<MoveItem> moves;
    final RestoreLane restores;
    public final SettleLane<Receipt> extensions;
    public final UnfinishedWork unfinished;
    public final GiveBack giveBack;

    private volatile boolean readyForMoves;

    /**
     * The parts of which a core is composed.
     *
     * @param scope what the parts need to call the storage
     * @param carried whether the backend publishes the signals of inserts
     * @param others opens other queues of the same pipeline by name
     * @param limit creates the delivery limit of the core
     */
    public record Parts(
            QueueScope scope,
            Duration pollInterval,
            StatsHub stats,
            Signaller signaller,
            boolean carried,
            Poller poller,
            CommitWatch commits,
            @Nullable String pipeline,
            Function<String, QueueCore> others,
            Function<QueueCore, DeliveryLimit> limit) {}

    public QueueCore(Parts parts) {
        this.scope = parts.scope();
        this.context = scope.context();
        this.name = scope.name();
        this.store = scope.store();
        this.timeout = scope.timeout();
        this.pollNanos = parts.pollInterval().toNanos();
        this.stats = parts.stats();
        this.poller = parts.poller();
        this.commits = parts.commits();
        this.pipeline = parts.pipeline();
        this.others = parts.others();
        this.pendingCounts = new PendingCounts(stats, name);
        this.unfinished = new UnfinishedWork(scope);
        this.signals = new QueueSignals(scope, parts.signaller(), parts.carried(), this::messagesDue);
        this.ordered = new InsertLane(scope, pendingCounts, signals, /* maxInFlight= */ 1);
        this.unordered =
                new InsertLane(scope, pendingCounts, signals, Math.max(1, context.traits.maxConcurrentInserts()));
        this.acks = ackLane();
        this.releases = releaseLane();
        this.moves = moveLane();
        this.extensions = extendLane();
        this.restores = new RestoreLane(scope, signals);
        this.consumers = new WaitingConsumers(
                scope,
                this,
                signals,
                poller,
                parts.limit().apply(this),
                new GiveBack.Lanes(releases, restores, unfinished));
        this.giveBack = consumers.claimLoop.giveBack;
    }

    private SettleLane<Receipt> ackLane() {
        return new SettleLane<>(
                scope,
                "ack",
                /* goneMeansDone= */ true,
                /* mayOvertake= */ true,
                (receipts, lease, token) -> store.ack(
                        SettleRequest.builder().receipts(receipts).token(token).build()),
                (done, answer) -> promoted(answer));
    }

    private SettleLane<ReleaseRequest.Item> releaseLane() {
        return new SettleLane<>(
                scope,
                "release",
                /* goneMeansDone= */ true,
                /* mayOvertake= */ false,
                (items, lease, token) -> store.release(ReleaseRequest.builder()
                        .items(items)
                        .token(token)
                        .announce(signals.carried())
                        .build()),
                this::released);
    }

    private SettleLane<MoveItem> moveLane() {
        return new SettleLane<>(
                scope,
                "move",
                /* goneMeansDone= */ true,
                /* mayOvertake= */ false,
                (items, lease, token) -> targetsReady(items)
                        .thenCompose(ready -> store.move(MoveRequest.builder()
                                .items(items)
                                .token(token)
                                .announce(signals.carried())
                                .build())),
                this::moved);
    }

    private CompletionStage<Void> targetsReady(List<MoveItem> items) {
        return CompletableFuture.allOf(items.stream()
                .map(MoveItem::toQueue)
                .distinct()
                .map(target -> others.apply(target).readyForMoves().toCompletableFuture())
                .toArray(CompletableFuture[]::new));
    }

    /**
     * Completes when the storage can move messages of other queues here. If this queue was opened as keyed, it is keyed then: with
     * the first message it could not become so any more. Done once, so a queue that is deleted later is not keyed.
     */
    public CompletionStage<Void> readyForMoves() {
        return readyForMoves
                ? CompletableFuture.completedFuture(null)
                : store.makeKeyed().thenRun(() -> readyForMoves = true);
    }

    private SettleLane<Receipt> extendLane() {
        return new SettleLane<>(
                scope,
                "extend",
                /* goneMeansDone= */ false,
                /* mayOvertake= */ false,
                (receipts, lease, token) -> store.extend(ExtendRequest.builder()
                        .receipts(receipts)
                        .leaseMillis(lease)
                        .token(token)
                        .build()),
                (done, answer) -> {});
    }

    private void messagesDue(long dueMillis) {
        consumers.messagesDue(dueMillis);
    }

    /** Wakes consumers for the messages that the batch has let in. */
    private void promoted(SettleResult answer) {
        answer.promotedMillis().ifPresent(signals::becameDue);
    }

    private void released(List<ReleaseRequest.Item> done, SettleResult answer) {
        long now = context.storageClock.nowMillis();
        long earliest = done.stream()
                .mapToLong(item ->
                        item.due() == null ? QueueSignals.DUE_NOW : item.due().resolve(now))
                .min()
                .orElse(QueueSignals.DUE_NOW);
        signals.inserted(earliest);
        promoted(answer);
    }

    private void moved(List<MoveItem> done, SettleResult answer) {
        promoted(answer);
        long now = context.storageClock.nowMillis();
        done.stream()
                .collect(Collectors.toMap(MoveItem::toQueue, item -> item.due().resolve(now), Math::min))
                .forEach((queue, due) -> others.apply(queue).signals.inserted(due));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public @Nullable String pipeline() {
        return pipeline;
    }

    @Override
    public long pollNanos() {
        return pollNanos;
    }

    @Override
    public StatsHub stats() {
        return stats;
    }

    @Override
    public QueueWatch watch() {
        return consumers.watch();
    }

    @Override
    public void probed(long millis) {
        consumers.probed(millis);
    }

    @Override
    public boolean stayActive() {
        return consumers.stayActive();
    }

    /** All lanes: the close of the factory waits for them. */
    public Stream<Lane<?, ?>> lanes() {
        return Stream.of(ordered, unordered, acks, releases, moves, restores, extensions);
    }
}
