package dev.jono.backend.mongo;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The last claims of this process on one queue, and until when their leases certainly run: nobody else can have claimed what
 * is in them, or have consumed it. Those of which something was given back, moved or extended are forgotten. Thread-safe.
 */
final class Leases {
    private static final int KEPT = 4096;

    private final LongSupplier nanos;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final Map<Fence, Long> ends = new LinkedHashMap<>();

    /**
     * None yet.
     *
     * @param nanos a monotonic clock
     */
    Leases(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** A claim was made; its lease runs until then, by the monotonic clock, at least. */
    void begun(Fence fence, long endNanos) {
        lock.lock();
        try {
            ends.put(fence, endNanos);
            if (ends.size() > KEPT) {
                ends.remove(ends.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether all of these leases certainly run. */
    boolean run(Collection<Fence> fences) {
        long now = nanos.getAsLong();
        lock.lock();
        try {
            for (Fence fence : fences) {
                Long end = ends.get(fence);
                if (end == null || end - now <= 0) {
                    return false;
                }
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Something else than an ack is done with some of their messages. */
    void touched(Collection<Fence> fences) {
        lock.lock();
        try {
            ends.keySet().removeAll(fences);
        } finally {
            lock.unlock();
        }
    }
}
