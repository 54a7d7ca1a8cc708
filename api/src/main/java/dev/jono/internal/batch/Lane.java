package dev.jono.internal.batch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.Durations;
import dev.jono.QueueClosedException;
import dev.jono.QueueFullException;
import dev.jono.StorageException;
import dev.jono.internal.concurrent.CoalescedStep;
import dev.jono.internal.concurrent.SerialLoop;
import dev.jono.internal.concurrent.UninterruptibleWait;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.internal.runtime.Failures;
import dev.jono.internal.runtime.QueueScope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Batches one kind of storage call of one queue. Callers submit calls on their own threads; the threads of the storage
 * complete batches and send the next ones. The lock is never held while the storage or code of a caller runs.
 *
 * @param <C> a caller's call: one or more items
 * @param <R> the storage's answer to a batch of calls
 */
public abstract class Lane<C extends BatchedCall, R> implements BatchQueue.Rules<C> {
    /*
     * How a lane works
     *
     * A caller adds its call to the queue and requests the loop. If no batch is in flight, the loop sends the call at once: a
     * lone call never waits, and there is no linger time. Calls that come while a batch is in flight wait, and are sent
     * together when its answer is there. So the size of batches follows the load.
     *
     * Example: callers A and B push on an idle lane.
     *
     *   1. A adds its call and sends batch 1, which holds this call alone.
     *   2. B adds its call. Batch 1 is in flight, so B's call waits.
     *   3. The answer of batch 1 arrives on a thread of the storage. The loop sends batch 2 with B's call first, and only then
     *      is A notified: the storage works while A's thread wakes up.
     *   4. A pushes again. Its call waits for the answer of batch 2, and so on.
     *
     * A and B alternate here, each with a batch of its own. Where a batch has a high price of its own and both calls together
     * are not enough for one (EngineContext.worthWaitingFor), step 3 is turned around: A is notified first, batch 2 is sent
     * after what A does next, and holds the calls of both.
     *
     * A batch that fails, and certainly did nothing, is repeated call by call, so that a call which the storage refuses fails
     * alone. One whose outcome is unknown fails all of its calls.
     */

    final EngineContext context;
    final String queue;
    private final String step;
    private final Duration timeout;
    private final SerialLoop loop;
    private final CoalescedStep coalescedRequest;
    private final ReentrantLock lock = new ReentrantLock();

    /** Signalled when calls end. */
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock") private final BatchQueue<C> calls;

    /** Batches that were answered, and whose callers are not notified yet. */
    @GuardedBy("lock") private int notifying;

    /** How much can wait or be in flight; further blocking calls wait for room, and further async calls are refused. */
    public record Bounds(long maxItems, long maxBytes, Duration timeout) {}

    Lane(QueueScope scope, String step, int maxInFlight) {
        this(scope.context(), scope.name(), step, maxInFlight, scope.timeout());
    }

    /**
     * A lane.
     *
     * @param step names the call in messages
     * @param maxInFlight the maximum number of batches in flight
     * @param timeout of one batch, for all its attempts together
     */
    protected Lane(EngineContext context, String queue, String step, int maxInFlight, Duration timeout) {
        this.context = context;
        this.queue = queue;
        this.step = step;
        this.timeout = timeout;
        this.calls = new BatchQueue<>(this, maxInFlight);
        this.loop = new SerialLoop(this::sendNext, context::handOver);
        this.coalescedRequest = new CoalescedStep(context.callbacks, loop::request);
    }

    /** The items of all calls of a batch. */
    static <C, I> List<I> joined(List<C> batch, Function<C, List<I>> items) {
        if (batch.size() == 1) {
            return items.apply(batch.get(0));
        }
        List<I> joined = new ArrayList<>();
        batch.forEach(call -> joined.addAll(items.apply(call)));
        return joined;
    }

    /** Sends a batch to the storage, under this token, which is the same when the batch is repeated. */
    protected abstract CompletionStage<R> send(List<C> batch, String token);

    /** Hands each call its part of the answer. */
    protected abstract void complete(List<C> batch, R answer, boolean repeated);

    /** The storage clock's reading in an answer. */
    protected abstract long storageMillis(R answer);

    /** Called when an answer came after the callers were notified that the outcome is unknown. */
    void late(R answer) {}

    @Override
    public boolean mayShareBatch(C first, C next) {
        return true;
    }

    @Override
    public int minItemsForSecondBatch() {
        return 1;
    }

    @Override
    public int maxBatch() {
        return context.traits.maxBatch();
    }

    @Override
    public long maxBatchBytes() {
        return context.traits.maxBatchBytes();
    }

    // ---- submitting -----------------------------------------------------------------------------------------

    /**
     * Adds a call. Where the bounds are reached, waits for room; an interrupt does not end the wait.
     *
     * @throws StorageException if there was no room in time; the call was not sent
     */
    public final void submitBlocking(C call, Bounds bounds) {
        call.blocksThread = true;
        setDeadline(call, bounds);
        lock.lock();
        try {
            if (!UninterruptibleWait.until(changed, context.clock, call.sendByNanos, () -> fits(call, bounds))) {
                throw new StorageException(
                        step + " on queue '" + queue + "' waited " + Durations.format(bounds.timeout())
                                + " for earlier calls and was not sent; the storage is slower than its callers",
                        queue,
                        null,
                        null);
            }
            calls.add(call);
        } finally {
            lock.unlock();
        }
        loop.request();
    }

    /** Adds a call; where the bounds are reached, fails it with {@link QueueFullException}. */
    public final void submitAsync(C call, Bounds bounds) {
        boolean accepted;
        boolean enough;
        setDeadline(call, bounds);
        lock.lock();
        try {
            accepted = calls.fits(call, bounds);
            if (accepted) {
                calls.add(call);
            }
            enough = calls.waiting() >= context.traits.preferredBatch();
        } finally {
            lock.unlock();
        }
        if (accepted && enough) {
            loop.request();
        } else if (accepted) {
            coalescedRequest.request();
        } else {
            call.fail(new QueueFullException(
                    step + " on queue '" + queue + "' refused: " + bounds.maxItems() + " messages or "
                            + bounds.maxBytes() + " bytes wait already",
                    queue,
                    null,
                    null));
        }
    }

    private void setDeadline(C call, Bounds bounds) {
        call.hasDeadline = true;
        call.sendByNanos = context.clock.nanos() + bounds.timeout().toNanos();
    }

    private boolean fits(C call, Bounds bounds) {
        lock.lock();
        try {
            return calls.fits(call, bounds);
        } finally {
            lock.unlock();
        }
    }

    /** Adds a call of the engine's own, which no bound refuses. */
    public final void submitInternal(C call) {
        lock.lock();
        try {
            calls.add(call);
        } finally {
            lock.unlock();
        }
        loop.request();
    }

    /** Takes back a call; false if it was sent already, or has ended. */
    public final boolean withdraw(C call) {
        lock.lock();
        try {
            boolean withdrawn = calls.remove(call);
            changed.signalAll();
            return withdrawn;
        } finally {
            lock.unlock();
        }
    }

    // ---- ending --------------------------------------------------------------------------------------------

    /** Waits until no call waits or is in flight; an interrupt does not end the wait. False at the deadline. */
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
            return calls.isIdle() && calls.waiting() == 0 && notifying == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Fails the calls that were not sent. */
    public final void failPending() {
        List<C> failed;
        lock.lock();
        try {
            failed = calls.removeAll();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        for (C call : failed) {
            call.fail(new QueueClosedException(
                    step + " on queue '" + queue + "' was not sent: the factory was closed", queue, null, null));
        }
    }

    // ---- batches --------------------------------------------------------------------------------------------

    private SerialLoop.Next sendNext() {
        List<C> late;
        List<C> batch;
        lock.lock();
        try {
            late = calls.removeLate(context.clock.nanos());
            if (!late.isEmpty()) {
                changed.signalAll();
            }
            batch = calls.nextBatch();
        } finally {
            lock.unlock();
        }
        for (C call : late) {
            call.fail(new StorageException(
                    step + " on queue '" + queue
                            + "' waited too long for earlier calls; it was not sent, and is not done",
                    queue,
                    null,
                    null));
        }
        if (batch.isEmpty()) {
            return SerialLoop.Next.DONE;
        }
        new BatchCall(batch).launch();
        return SerialLoop.Next.AGAIN;
    }

    /**
     * A batch has ended. Sends the next one, unless it is worth waiting for what the callers of this one do next.
     *
     * @return whether it waits: then the caller requests the loop
     */
    private boolean landed(List<C> batch, boolean toNotify, boolean mayWait) {
        boolean waits;
        lock.lock();
        try {
            calls.landed(batch);
            notifying += toNotify ? 1 : 0;
            changed.signalAll();
            waits = mayWait
                    && calls.isIdle()
                    && calls.waiting() > 0
                    && context.worthWaitingFor(
                            BatchQueue.weight(batch), calls.itemsWaiting(), context.traits.preferredBatch());
        } finally {
            lock.unlock();
        }
        if (!waits) {
            loop.request();
        }
        return waits;
    }

    private void notified() {
        lock.lock();
        try {
            notifying--;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void repeatOneByOne(List<C> batch) {
        lock.lock();
        try {
            calls.repeatOneByOne(batch);
        } finally {
            lock.unlock();
        }
        loop.request();
    }

    /** The storage call of one batch. */
    private final class BatchCall extends StorageCall<R> {
        private final List<C> batch;

        BatchCall(List<C> batch) {
            super(Lane.this.context, Lane.this.queue, Lane.this.step, Lane.this.timeout, BatchQueue.weight(batch));
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
            int blocked = (int) batch.stream().filter(call -> call.blocksThread).count();
            boolean nextWaits = landed(batch, /* toNotify= */ true, /* mayWait= */ blocked == 0);
            context.notifyCallers(blocked, () -> {
                try {
                    complete(batch, answer, repeated);
                } catch (RuntimeException | Error unusable) {
                    failAll(unusable);
                } finally {
                    notified();
                    if (nextWaits) {
                        context.callbacks.enqueueStep(loop::request);
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
            if (batch.size() > 1 && (Failures.unapplied(failure) || Failures.unstorable(failure))) {
                repeatOneByOne(batch);
            } else {
                failAll(failure);
                landed(batch, /* toNotify= */ false, /* mayWait= */ false);
            }
        }

        private void failAll(Throwable failure) {
            for (C call : batch) {
                call.fail(Failures.fromStorage(step, queue, failure));
            }
        }
    }
}
