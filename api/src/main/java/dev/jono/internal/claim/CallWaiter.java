package dev.jono.internal.claim;

import dev.jono.JonoClock;
import dev.jono.StorageException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One call of pop or reserve. It ends once: with messages, empty, or with a failure. Messages that come after its end are
 * refused, and go to another waiter or back. Thread-safe.
 */
public final class CallWaiter extends Waiter {
    /** The owner that may end it together with its other waits. */
    final Object owner;

    private final WaitingConsumers consumers;
    private final ClaimTerms terms;
    private final int max;
    private final boolean oneShot;
    private final boolean blocksThread;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final String queue;
    private final long waitNanos;
    private volatile JonoClock.@Nullable Timer timer;
    private volatile List<HeldMessage> accepted = List.of();

    /** Completes with what it was given; empty when the wait ended. */
    public final CompletableFuture<List<HeldMessage>> result = new CompletableFuture<>();

    /**
     * A waiter that has not begun to wait.
     *
     * @param waitNanos the longest wait; of a one-shot waiter, how long the storage may take to answer
     */
    public CallWaiter(
            Object owner,
            WaitingConsumers intake,
            String queue,
            ClaimTerms terms,
            int max,
            boolean looksOnce,
            boolean blocks,
            long waitNanos) {
        this.owner = owner;
        this.consumers = intake;
        this.queue = queue;
        this.terms = terms;
        this.max = max;
        this.oneShot = looksOnce;
        this.blocksThread = blocks;
        this.waitNanos = waitNanos;
    }

    /** Begins to wait. */
    public void start() {
        consumers.add(this);
        if (!ended.get()) {
            timer = consumers.clock().schedule(waitNanos, this::timedOut);
        }
        if (ended.get()) {
            // It may have been cancelled before it was in the line, or before its timer was set.
            consumers.remove(this);
            cancelTimer();
        }
    }

    /** Ends the wait; false if it has ended before. */
    private boolean end() {
        boolean first = ended.compareAndSet(false, true);
        if (first) {
            cancelTimer();
        }
        return first;
    }

    private void cancelTimer() {
        JonoClock.Timer set = timer;
        if (set != null) {
            set.cancel();
        }
    }

    /** Ends the wait; returns whether this call ended it. */
    public boolean cancel() {
        if (!end()) {
            return false;
        }
        consumers.remove(this);
        result.complete(List.of());
        return true;
    }

    private void timedOut() {
        if (oneShot) {
            consumers.remove(this);
            failed(new StorageException(
                    "the storage of queue '" + queue
                            + "' did not answer in time; messages that it still hands out are given back",
                    queue,
                    null,
                    null));
        } else {
            cancel();
        }
    }

    @Override
    protected ClaimTerms terms() {
        return terms;
    }

    @Override
    protected int demand() {
        return ended.get() ? 0 : max;
    }

    @Override
    protected boolean accept(List<HeldMessage> messages) {
        if (!end()) {
            return false;
        }
        accepted = List.copyOf(messages);
        return true;
    }

    @Override
    protected void afterHandOut() {
        result.complete(accepted);
    }

    @Override
    protected void nothingForYou() {}

    @Override
    protected void queueEmpty() {
        if (end()) {
            result.complete(List.of());
        }
    }

    @Override
    protected void failed(RuntimeException failure) {
        if (end()) {
            result.completeExceptionally(failure);
        }
    }

    @Override
    protected boolean isWorker() {
        return false;
    }

    @Override
    protected boolean isOneShot() {
        return oneShot;
    }

    @Override
    boolean blocksThread() {
        return blocksThread;
    }
}
