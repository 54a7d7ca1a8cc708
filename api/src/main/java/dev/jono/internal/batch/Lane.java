package dev.jono.internal.batch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.Durations;
import dev.jono.QueueClosedException;
import dev.jono.QueueFullException;
import dev.jono.StorageException;
import dev.jono.internal.concurrent.CoalescedStep;
import dev.jono.internal.concurrent.UninterruptibleWait;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.internal.runtime.Failures;
import dev.jono.internal.runtime.QueueScope;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Natural batching for one kind of call on one queue: what arrives while a storage call is under way travels together in
 * the next one. No linger and no timer: a lone call leaves at once.
 *
 * <p>One thread at a time sends, whichever came ({@link #pump}); a storage that answers at once is answered in a loop,
 * not in a recursion. The lock is never held while the storage or anybody's code runs.
 *
 * @param <C> a caller's call: one or more items
 * @param <R> the storage's answer to a batch of calls
 */
public abstract class Lane<C extends Lane.Call, R> {
    final EngineContext context;
    final String queue;
    private final String step;
    private final int maxInFlight;
    private final Duration timeout;
    private final AtomicInteger work = new AtomicInteger();
    private final CoalescedStep coalescedPump;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock") private final ArrayDeque<C> pending = new ArrayDeque<>();

    @GuardedBy("lock") private int inFlight;

    /** Items of the batches under way. */
    @GuardedBy("lock") private long itemsInFlight;

    /** Batches that were answered, and whose callers are not told yet. */
    @GuardedBy("lock") private int telling;

    /** Items and bytes accepted and not yet answered. */
    @GuardedBy("lock") private long items;

    @GuardedBy("lock") private long bytes;

    /** One caller's call. */
    public abstract static class Call {
        final int weight;
        final long bytes;
        boolean alone;

        /** Nobody waits who could be told of a lost reply: repeated until it is answered. Travels with its like. */
        public boolean patient;

        /** Monotonic time by which it is to be sent; of the engine's own calls, never. */
        long sendByNanos;

        boolean bounded;

        /** Whether a thread waits for it; else what its end begins is handed on. */
        boolean waitedFor;

        public Call(int weight, long bytes) {
            this.weight = weight;
            this.bytes = bytes;
        }

        /** Ends it with a failure. */
        protected abstract void fail(RuntimeException failure);
    }

    /** How much may wait: more is held back, or refused. */
    public record Bounds(long maxItems, long maxBytes, Duration timeout) {}

    Lane(QueueScope scope, String step, int maxInFlight) {
        this(scope.context(), scope.name(), step, maxInFlight, scope.timeout());
    }

    public Lane(EngineContext context, String queue, String step, int maxInFlight, Duration timeout) {
        this.context = context;
        this.queue = queue;
        this.step = step;
        this.maxInFlight = maxInFlight;
        this.timeout = timeout;
        this.coalescedPump = new CoalescedStep(context.callbacks, this::pump);
    }

    /** Sends a batch to the storage, under this token, which is the same when the batch is repeated. */
    protected abstract CompletionStage<R> send(List<C> batch, String token);

    /** Hands each call its part of the answer. */
    protected abstract void complete(List<C> batch, R answer, boolean repeated);

    /** The storage clock's reading in an answer. */
    protected abstract long storageMillis(R answer);

    /** An answer that came after its calls were told that their outcome is unknown. */
    void late(R answer) {}

    /** Whether two calls may travel together. */
    boolean join(C first, C next) {
        return true;
    }

    /** Whether the storage does with less if two calls that follow one another travel in the same batch. */
    boolean related(C call, C next) {
        return false;
    }

    /** So many items have to wait for a batch to leave beside another. */
    int enoughBeside() {
        return 1;
    }

    /** Whether what waits leaves behind the threads that the last answer wakes, as it does behind callbacks. */
    boolean gathersBlocked() {
        return false;
    }

    /** Most items of the calls that are joined in one batch. */
    int maxBatch() {
        return context.traits.maxBatch();
    }

    /** Adds a call; where the bounds are reached, waits for room, uninterruptibly. */
    public final void submitBlocking(C call, Bounds bounds) {
        call.waitedFor = true;
        bound(call, bounds);
        lock.lock();
        try {
            if (!UninterruptibleWait.until(changed, context.clock, call.sendByNanos, () -> fits(call, bounds))) {
                throw new StorageException(
                        step + " on queue '" + queue + "' waited " + Durations.format(bounds.timeout())
                                + " behind other calls and was not sent; the storage is slower than its callers",
                        queue,
                        null,
                        null);
            }
            accept(call);
        } finally {
            lock.unlock();
        }
        pump();
    }

    /** Adds a call, or fails it with {@link QueueFullException}. */
    public final void submitAsync(C call, Bounds bounds) {
        boolean accepted;
        boolean enough;
        bound(call, bounds);
        lock.lock();
        try {
            accepted = fits(call, bounds);
            if (accepted) {
                accept(call);
            }
            enough = pending.size() >= context.traits.preferredBatch();
        } finally {
            lock.unlock();
        }
        if (accepted && enough) {
            pump();
        } else if (accepted) {
            coalescedPump.request();
        } else {
            call.fail(new QueueFullException(
                    step + " on queue '" + queue + "' refused: " + bounds.maxItems() + " messages or "
                            + bounds.maxBytes() + " bytes wait already",
                    queue,
                    null,
                    null));
        }
    }

    private void bound(C call, Bounds bounds) {
        call.bounded = true;
        call.sendByNanos = context.clock.nanos() + bounds.timeout().toNanos();
    }

    /** Adds a call of the engine's own, which no bound refuses. */
    public final void submitInternal(C call) {
        lock.lock();
        try {
            accept(call);
        } finally {
            lock.unlock();
        }
        pump();
    }

    /** Takes back a call that was not sent yet. */
    public final boolean withdraw(C call) {
        lock.lock();
        try {
            if (!pending.remove(call)) {
                return false;
            }
            leave(call);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Waits, uninterruptibly, until nothing is pending or under way. */
    public final boolean awaitQuiet(long deadlineNanos) {
        lock.lock();
        try {
            return UninterruptibleWait.until(changed, context.clock, deadlineNanos, this::isQuiet);
        } finally {
            lock.unlock();
        }
    }

    private boolean isQuiet() {
        lock.lock();
        try {
            return inFlight == 0 && telling == 0 && pending.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Fails what was not sent. */
    public final void failPending() {
        List<C> failed;
        lock.lock();
        try {
            failed = new ArrayList<>(pending);
            pending.clear();
            failed.forEach(this::leave);
        } finally {
            lock.unlock();
        }
        for (C call : failed) {
            call.fail(new QueueClosedException(
                    step + " on queue '" + queue + "' was not sent: the factory was closed", queue, null, null));
        }
    }

    private boolean fits(C call, Bounds bounds) {
        lock.lock();
        try {
            return items == 0 || (items + call.weight <= bounds.maxItems() && bytes + call.bytes <= bounds.maxBytes());
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void accept(C call) {
        items += call.weight;
        bytes += call.bytes;
        pending.add(call);
    }

    @GuardedBy("lock") private void leave(C call) {
        items -= call.weight;
        bytes -= call.bytes;
        changed.signalAll();
    }

    private void pump() {
        if (work.getAndIncrement() == 0) {
            drain(1);
        }
    }

    private void drain(int begun) {
        int seen = begun;
        int sent = 0;
        while (true) {
            List<C> batch = nextBatch();
            while (!batch.isEmpty()) {
                new Flight(batch).launch();
                if (++sent == EngineContext.TURNS_FOR_OTHERS && context.handOver(() -> drain(0))) {
                    return;
                }
                batch = nextBatch();
            }
            seen = work.addAndGet(-seen);
            if (seen == 0) {
                return;
            }
        }
    }

    private List<C> nextBatch() {
        List<C> expired = new ArrayList<>(0);
        List<C> batch;
        lock.lock();
        try {
            if (mayLeave()) {
                long now = context.clock.nanos();
                for (C call = pending.peek();
                        call != null && call.bounded && call.sendByNanos - now < 0;
                        call = pending.peek()) {
                    expired.add(pending.remove());
                    leave(call);
                }
            }
            batch = poll();
        } finally {
            lock.unlock();
        }
        for (C call : expired) {
            call.fail(new StorageException(
                    step + " on queue '" + queue
                            + "' waited too long behind other calls; it was not sent, and is not done",
                    queue,
                    null,
                    null));
        }
        return batch;
    }

    @GuardedBy("lock") private List<C> poll() {
        C first = mayLeave() ? pending.poll() : null;
        if (first == null) {
            return List.of();
        }
        List<C> batch = first.alone || pending.isEmpty() ? List.of(first) : withOthers(first);
        inFlight++;
        itemsInFlight += weight(batch);
        return batch;
    }

    @GuardedBy("lock") private boolean mayLeave() {
        return inFlight == 0 || (inFlight < maxInFlight && items - itemsInFlight >= enoughBeside());
    }

    private static long weight(List<? extends Call> batch) {
        long weight = 0;
        for (Call call : batch) {
            weight += call.weight;
        }
        return weight;
    }

    @GuardedBy("lock") private List<C> withOthers(C first) {
        List<C> batch = new ArrayList<>();
        batch.add(first);
        int weight = first.weight;
        long size = first.bytes;
        for (C next = pending.peek(); next != null && !next.alone && together(first, next); next = pending.peek()) {
            weight += next.weight;
            size += next.bytes;
            if (weight > maxBatch() || size > context.traits.maxBatchBytes()) {
                leaveRelated(batch, next);
                break;
            }
            batch.add(pending.remove());
        }
        return batch;
    }

    /** Where a full batch would end among calls that are related, these wait for the next, unless they are most of it. */
    @GuardedBy("lock") private void leaveRelated(List<C> batch, C next) {
        int end = batch.size();
        int left = 0;
        for (C after = next; end > 0 && related(batch.get(end - 1), after); ) {
            after = batch.get(--end);
            left += after.weight;
        }
        if (end > 0 && 2 * left <= maxBatch()) {
            List<C> back = batch.subList(end, batch.size());
            for (int i = back.size() - 1; i >= 0; i--) {
                pending.addFirst(back.get(i));
            }
            back.clear();
        }
    }

    private boolean together(C first, C next) {
        return first.patient == next.patient && join(first, next);
    }

    /**
     * The next batch leaves first: while the storage is busy with it, the callers of this one are told. But where a batch
     * has a high price of its own and both together are not enough for one, the next waits for what the callers of this one
     * begin now; else two halves would take turns for ever. Returns whether it waits.
     */
    private boolean landed(List<C> batch, int toTell, boolean mayGather) {
        boolean gathers;
        lock.lock();
        try {
            inFlight--;
            itemsInFlight -= weight(batch);
            telling += toTell;
            batch.forEach(this::leave);
            gathers = mayGather
                    && inFlight == 0
                    && !pending.isEmpty()
                    && context.worthWaitingFor(weight(batch), items - itemsInFlight, context.traits.preferredBatch());
        } finally {
            lock.unlock();
        }
        if (!gathers) {
            pump();
        }
        return gathers;
    }

    private void told() {
        lock.lock();
        try {
            telling--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Puts the calls of a failed batch back to the head, each to travel alone. */
    private void repeatOneByOne(List<C> batch) {
        lock.lock();
        try {
            inFlight--;
            itemsInFlight -= weight(batch);
            for (int i = batch.size() - 1; i >= 0; i--) {
                batch.get(i).alone = true;
                pending.addFirst(batch.get(i));
            }
        } finally {
            lock.unlock();
        }
        pump();
    }

    /** One batch on its way. */
    private final class Flight extends StorageCall<R> {
        private final List<C> batch;

        Flight(List<C> batch) {
            super(Lane.this.context, Lane.this.queue, Lane.this.step, Lane.this.timeout);
            this.batch = batch;
        }

        @Override
        protected CompletionStage<R> send(String token) {
            return Lane.this.send(batch, token);
        }

        @Override
        boolean patient() {
            return batch.get(0).patient && !context.ended();
        }

        @Override
        protected void answered(R answer, boolean repeated) {
            context.storageClock.observe(storageMillis(answer), sentNanos);
            int blocked = (int) batch.stream().filter(call -> call.waitedFor).count();
            boolean gathers = landed(batch, 1, blocked == 0 || gathersBlocked());
            context.notifyCallers(blocked, () -> {
                try {
                    complete(batch, answer, repeated);
                } catch (RuntimeException | Error unusable) {
                    for (C call : batch) {
                        call.fail(Failures.fromStorage(step, queue, unusable));
                    }
                } finally {
                    told();
                    if (gathers) {
                        context.runAfterNotified(blocked, Lane.this::pump);
                    }
                }
            });
        }

        @Override
        protected void late(R answer) {
            Lane.this.late(answer);
        }

        @Override
        protected void failed(Throwable failure) {
            if (batch.size() > 1 && (Failures.unapplied(failure) || Failures.refused(failure))) {
                repeatOneByOne(batch);
            } else {
                for (C call : batch) {
                    call.fail(Failures.fromStorage(step, queue, failure));
                }
                landed(batch, 0, false);
            }
        }
    }
}
