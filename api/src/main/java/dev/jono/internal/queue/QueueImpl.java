package dev.jono.internal.queue;

import dev.jono.BrowsedMessage;
import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.Durations;
import dev.jono.Lease;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.PushResult;
import dev.jono.QueueCounts;
import dev.jono.QueueStats;
import dev.jono.RemoveOutcome;
import dev.jono.Reservation;
import dev.jono.ReserveOptions;
import dev.jono.internal.batch.StorageCall;
import dev.jono.internal.claim.ClaimTerms;
import dev.jono.internal.concurrent.Arguments;
import dev.jono.internal.concurrent.Completions;
import dev.jono.internal.core.PayloadCoder;
import dev.jono.internal.core.QueueCore;
import dev.jono.internal.core.QueueHandle;
import dev.jono.internal.core.QueueSettings;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.internal.settle.AckAll;
import dev.jono.internal.settle.LeaseImpl;
import dev.jono.internal.settle.ReservationImpl;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.Counter;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.CountsResult;
import dev.jono.spi.Receipt;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Checks the arguments of users, and delegates to the parts that do the work. No lock is held. Thread-safe. */
public final class QueueImpl<T> implements MessageQueue<T> {
    public final QueueHandle handle;
    public final PayloadCoder<T> coder;
    public final Receiver<T, Reservation<T>> reserves;
    private final QueueCore core;
    private final EngineContext context;
    private final QueueSettings settings;
    private final Pusher<T> pusher;
    private final Receiver<T, Message<T>> pops;

    public QueueImpl(QueueCore core, QueueSettings settings, Codec<T> codec) {
        this.core = core;
        this.context = core.context;
        this.settings = settings;
        this.handle = new QueueHandle(core, settings);
        this.coder = new PayloadCoder<>(context, core.name, codec, settings.maxPayloadBytes());
        this.pusher = new Pusher<>(handle, coder);
        this.pops = new Receiver<>(
                handle,
                coder,
                Counter.POPPED,
                (delivered, payload) -> new MessageImpl<>(core.name, delivered.message, core, () -> payload));
        this.reserves = new Receiver<>(
                handle,
                coder,
                Counter.RESERVED,
                (delivered, payload) -> new ReservationImpl<>(handle, delivered, payload, null));
    }

    @Override
    public String name() {
        return core.name;
    }

    @Override
    public String backend() {
        return context.backendType;
    }

    @Override
    public Set<Capability> capabilities() {
        return context.traits.capabilities();
    }

    // ---- push -----------------------------------------------------------------------------------------------

    @Override
    public PushResult push(T payload, PushOptions options) {
        return pusher.push(payload, options);
    }

    @Override
    public List<PushResult> pushAll(List<? extends T> payloads, PushOptions options) {
        return pusher.pushAll(payloads, options);
    }

    @Override
    public CompletableFuture<PushResult> pushAsync(T payload, PushOptions options) {
        return pusher.pushAsync(payload, options);
    }

    @Override
    public CompletableFuture<List<PushResult>> pushAllAsync(List<? extends T> payloads, PushOptions options) {
        return pusher.pushAllAsync(payloads, options);
    }

    // ---- pop and reserve ------------------------------------------------------------------------------------

    @Override
    public List<Message<T>> pop(int max, Duration wait) throws InterruptedException {
        return pops.receive(settings.takeTerms(), max, wait);
    }

    @Override
    public CompletableFuture<Optional<Message<T>>> popAsync(Duration wait) {
        return pops.receiveAsync(settings.takeTerms(), 1, wait, QueueImpl::first);
    }

    @Override
    public CompletableFuture<List<Message<T>>> popAsync(int max, Duration wait) {
        return pops.receiveAsync(settings.takeTerms(), max, wait, list -> list);
    }

    @Override
    public void restore(Collection<? extends Message<T>> popped) {
        List<StoredMessage> taken = popped.stream()
                .map(message -> MessageImpl.popped(message, core))
                .toList();
        context.requireOpen(core.name);
        if (!taken.isEmpty()) {
            handle.await("restore", core.giveBack.restore(taken));
            core.pendingCounts.uncount(Counter.POPPED, taken.size());
        }
    }

    @Override
    public List<Reservation<T>> reserve(int max, Duration wait, ReserveOptions options) throws InterruptedException {
        return reserves.receive(reserveTerms(options), max, wait);
    }

    @Override
    public CompletableFuture<Optional<Reservation<T>>> reserveAsync(Duration wait) {
        return reserves.receiveAsync(reserveTerms(ReserveOptions.none()), 1, wait, QueueImpl::first);
    }

    @Override
    public CompletableFuture<List<Reservation<T>>> reserveAsync(int max, Duration wait, ReserveOptions options) {
        return reserves.receiveAsync(reserveTerms(options), max, wait, list -> list);
    }

    private ClaimTerms reserveTerms(ReserveOptions options) {
        context.require(Capability.RESERVE, "reserve", core.name);
        return settings.claimTerms(options.lease().orElse(settings.lease()));
    }

    private static <M> Optional<M> first(List<M> found) {
        return found.isEmpty() ? Optional.empty() : Optional.of(found.get(0));
    }

    @Override
    public int cancelAll() {
        return handle.cancelWaits();
    }

    @Override
    public Lease lease(String receipt) {
        context.require(Capability.RESERVE, "settle", core.name);
        return new LeaseImpl(handle, Receipt.parse(receipt));
    }

    @Override
    public void ackAll(Collection<? extends Lease> leases) {
        handle.await("ack", AckAll.all(handle, leases, /* wait= */ true));
    }

    @Override
    public CompletableFuture<Void> ackAllAsync(Collection<? extends Lease> leases) {
        return handle.forUser(() -> AckAll.all(handle, leases, /* wait= */ false));
    }

    // ---- look -----------------------------------------------------------------------------------------------

    /** Sends a call that only reads, and waits for its answer. */
    private <R> R read(String step, Supplier<CompletionStage<R>> call) {
        context.requireOpen(core.name);
        return handle.read(step, Completions.start(call));
    }

    private CountsResult readCounts(boolean history) {
        return read(
                "counts",
                () -> core.store.counts(CountsRequest.builder().history(history).build()));
    }

    @Override
    public QueueCounts counts() {
        CountsResult counts = readCounts(/* history= */ false);
        return QueueCounts.of(counts.ready(), counts.scheduled(), counts.reserved());
    }

    @Override
    public Optional<Instant> nextMaturity() {
        CountsResult counts = readCounts(/* history= */ false);
        if (counts.oldestReadyMillis().isPresent()) {
            return Optional.of(Instant.ofEpochMilli(counts.oldestReadyMillis().getAsLong()));
        }
        // oldestReadyMillis is a time, nextMillis a duration from the time of the answer.
        return counts.nextMillis() == ClaimResult.NONE
                ? Optional.empty()
                : Optional.of(Instant.ofEpochMilli(counts.storageMillis() + counts.nextMillis()));
    }

    @Override
    public Optional<Duration> oldestReadyAge() {
        CountsResult counts = readCounts(/* history= */ false);
        return counts.oldestReadyMillis().isEmpty()
                ? Optional.empty()
                : Optional.of(Duration.ofMillis(Math.max(
                        0, counts.storageMillis() - counts.oldestReadyMillis().getAsLong())));
    }

    @Override
    public List<BrowsedMessage<T>> browse(@Nullable String after, int limit) {
        return browse(BrowseRequest.builder().after(after).limit(Arguments.atLeast(1, limit, "limit")));
    }

    @Override
    public Optional<BrowsedMessage<T>> get(String id) {
        return first(browse(BrowseRequest.builder().ids(List.of(id)).limit(1)));
    }

    @Override
    public List<BrowsedMessage<T>> history(int limit) {
        context.require(Capability.HISTORY, "history", core.name);
        return browse(
                BrowseRequest.builder().view(BrowseRequest.View.HISTORY).limit(Arguments.atLeast(1, limit, "limit")));
    }

    private List<BrowsedMessage<T>> browse(BrowseRequest.Builder request) {
        context.require(Capability.BROWSE, "browse", core.name);
        List<BrowsedMessage<T>> shown = new ArrayList<>();
        for (StoredMessage message :
                read("browse", () -> core.store.browse(request.build())).messages()) {
            shown.add(new MessageImpl<>(core.name, message, /* poppedFrom= */ null, () -> coder.decode(message)));
        }
        return shown;
    }

    @Override
    public long historySize() {
        context.require(Capability.HISTORY, "historySize", core.name);
        return readCounts(/* history= */ true).history();
    }

    @Override
    public RemoveOutcome remove(String id) {
        context.require(Capability.REMOVE, "remove", core.name);
        Objects.requireNonNull(id, "id");
        context.requireOpen(core.name);
        return handle.await(
                        "remove",
                        StorageCall.single(
                                core.scope,
                                "remove",
                                token -> core.store.remove(RemoveRequest.builder()
                                        .ids(List.of(id))
                                        .token(token)
                                        .build())))
                .outcomes()
                .get(0);
    }

    /** Unlike a remove, a purge has no token: it is sent once, and callers can repeat it. */
    @Override
    public long purge() {
        context.requireOpen(core.name);
        return handle.await("purge", core.store.purge().toCompletableFuture());
    }

    @Override
    public void delete() {
        QueueDeletion.run(handle, /* withMessages= */ false);
    }

    @Override
    public long deleteWithMessages() {
        return QueueDeletion.run(handle, /* withMessages= */ true);
    }

    @Override
    public long redrive(int max) {
        return new Redrive(handle, Arguments.atLeast(1, max, "limit")).run();
    }

    // ---- control --------------------------------------------------------------------------------------------

    @Override
    public void pause() {
        setPaused(true);
    }

    @Override
    public void resume() {
        setPaused(false);
    }

    private void setPaused(boolean paused) {
        context.requireOpen(core.name);
        handle.await(
                paused ? "pause" : "resume",
                core.stats.store().setPaused(core.name, paused).toCompletableFuture());
        core.consumers.watch().set(paused);
        core.signals.paused(paused);
    }

    /** Also applies the flag here, because its signal has perhaps not arrived yet; unless a newer change came. */
    @Override
    public boolean isPaused() {
        long version = core.consumers.watch().version();
        boolean paused = read("isPaused", () -> core.stats.store().paused(List.of(core.name)))
                .contains(core.name);
        core.consumers.watch().setAsRead(paused, version);
        return paused;
    }

    @Override
    public QueueStats stats() {
        Map<Counter, Long> counts = read(
                "stats",
                () -> core.stats.flush().thenCompose(done -> core.stats.store().read(core.name)));
        return QueueStats.builder()
                .pushed(counts.getOrDefault(Counter.PUSHED, 0L))
                .popped(counts.getOrDefault(Counter.POPPED, 0L))
                .reserved(counts.getOrDefault(Counter.RESERVED, 0L))
                .acked(counts.getOrDefault(Counter.ACKED, 0L))
                .retried(counts.getOrDefault(Counter.RETRIED, 0L))
                .released(counts.getOrDefault(Counter.RELEASED, 0L))
                .deadLettered(counts.getOrDefault(Counter.DEAD_LETTERED, 0L))
                .build();
    }

    @Override
    public boolean drain(Duration timeout) {
        return handle.drain(Durations.check(timeout, "timeout"));
    }

    @Override
    public String toString() {
        return "queue '" + core.name + "' on " + context.backendType;
    }
}
