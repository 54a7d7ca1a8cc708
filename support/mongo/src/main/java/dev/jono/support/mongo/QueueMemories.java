package dev.jono.support.mongo;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The memories of the queues that were used last. A memory with an unanswered call is never dropped, because only it
 * can find out what became of the call. Thread-safe.
 *
 * @param <M> the type of the memory
 */
public final class QueueMemories<M extends CallMemory> {
    private static final int MAX_QUEUES = 1000;
    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final LongSupplier nanos;
    private final Supplier<M> fresh;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final Map<Queue, M> queues = new LinkedHashMap<>(16, 0.75f, true);

    @GuardedBy("lock") private long sweptNanos;

    private record Queue(String collection, String name) {}

    /**
     * Without memories.
     *
     * @param nanos a monotonic clock
     * @param fresh creates the memory of a queue
     */
    public QueueMemories(LongSupplier nanos, Supplier<M> fresh) {
        this.nanos = nanos;
        this.fresh = fresh;
        this.sweptNanos = nanos.getAsLong();
    }

    /** The memory of one queue. */
    public M of(String collection, String queue) {
        lock.lock();
        try {
            M memory = queues.computeIfAbsent(new Queue(collection, queue), unknown -> fresh.get());
            Iterator<M> eldest = queues.values().iterator();
            while (queues.size() > MAX_QUEUES && eldest.hasNext()) {
                M other = eldest.next();
                if (other != memory && !other.unanswered()) {
                    eldest.remove();
                }
            }
            long now = nanos.getAsLong();
            if (now - sweptNanos > SWEEP_NANOS) {
                sweptNanos = now;
                queues.values().forEach(CallMemory::forgetOld);
            }
            return memory;
        } finally {
            lock.unlock();
        }
    }
}
