package dev.jono.internal.queue;

import dev.jono.BrowsedMessage;
import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.Durations;
import dev.jono.EditOutcome;
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
import dev.jono.internal.claim.ClaimTerms;
import dev.jono.internal.concurrent.Arguments;
import dev.jono.internal.core.PayloadCoder;
import dev.jono.internal.core.QueueCore;
import dev.jono.internal.core.QueueHandle;
import dev.jono.internal.core.QueueSettings;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.internal.settle.AckAll;
import dev.jono.internal.settle.LeaseImpl;
import dev.jono.internal.settle.ReservationImpl;
import dev.jono.spi.Counter;
import dev.jono.spi.Due;
import dev.jono.spi.Receipt;
import dev.jono.spi.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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
    private final QueueEdits edits;
    private final QueueReads<T> reads;
    private final Receiver<T, Message<T>> pops;

    public QueueImpl(QueueCore core, QueueSettings settings, Codec<T> codec) {
        this.core = core;
        this.context = core.context;
        this.settings = settings;
        this.handle = new QueueHandle(core, settings);
        this.coder = new PayloadCoder<>(context, core.name, codec, settings.maxPayloadBytes());
        this.pusher = new Pusher<>(handle, coder);
        this.edits = new QueueEdits(handle);
        this.reads = new QueueReads<>(handle, coder);
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
        return reserves.receive(reserveTerms(max, options), max, wait);
    }

    @Override
    public CompletableFuture<Optional<Reservation<T>>> reserveAsync(Duration wait) {
        return reserves.receiveAsync(reserveTerms(1, ReserveOptions.none()), 1, wait, QueueImpl::first);
    }

    @Override
    public CompletableFuture<List<Reservation<T>>> reserveAsync(int max, Duration wait, ReserveOptions options) {
        return reserves.receiveAsync(reserveTerms(max, options), max, wait, list -> list);
    }

    private ClaimTerms reserveTerms(int max, ReserveOptions options) {
        context.require(Capability.RESERVE, "reserve", core.name);
        return settings.claimTerms(options.lease().orElse(settings.lease()), max);
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

    @Override
    public QueueCounts counts() {
        return reads.counts();
    }

    @Override
    public Optional<Instant> nextMaturity() {
        return reads.nextMaturity();
    }

    @Override
    public Optional<Duration> oldestReadyAge() {
        return reads.oldestReadyAge();
    }

    @Override
    public List<BrowsedMessage<T>> browse(@Nullable String after, int limit) {
        return reads.browse(after, Arguments.atLeast(1, limit, "limit"));
    }

    @Override
    public Optional<BrowsedMessage<T>> get(String id) {
        return first(reads.browse(id));
    }

    @Override
    public List<BrowsedMessage<T>> history(int limit) {
        return reads.history(Arguments.atLeast(1, limit, "limit"));
    }

    @Override
    public long historySize() {
        return reads.historySize();
    }

    @Override
    public RemoveOutcome remove(String id) {
        return edits.remove(id);
    }

    @Override
    public EditOutcome reschedule(String id, Instant dueAt) {
        return edits.reschedule(id, Due.at(PushOptions.at(dueAt).dueAt().orElseThrow()));
    }

    @Override
    public EditOutcome reschedule(String id, Duration delay) {
        return edits.reschedule(id, Due.in(Durations.check(delay, "delay").toMillis()));
    }

    @Override
    public EditOutcome moveIdle(String id, String toQueue) {
        return edits.moveIdle(id, toQueue);
    }

    /** As {@link #moveIdle}, but the message keeps its tries, its due time and all its headers. */
    public EditOutcome moveIdleUnchanged(String id, String toQueue) {
        return edits.moveIdleUnchanged(id, toQueue);
    }

    @Override
    public void forget(String key, String id) {
        edits.forget(null, key, id);
    }

    @Override
    public void forget(String scope, String key, String id) {
        edits.forget(Objects.requireNonNull(scope, "scope"), key, id);
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
        boolean paused = reads.call("isPaused", () -> core.stats.store().paused(List.of(core.name)))
                .contains(core.name);
        core.consumers.watch().setAsRead(paused, version);
        return paused;
    }

    @Override
    public QueueStats stats() {
        Map<Counter, Long> counts = reads.call(
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
