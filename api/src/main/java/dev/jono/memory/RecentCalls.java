package dev.jono.memory;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The results of the latest mutating calls, so that a repeated call gets the first result. The oldest results are
 * evicted first, by total weight and after ten minutes. A cache by frequency would evict the latest calls, and only
 * those are repeated. The limit is low because kept results survive garbage collections.
 *
 * <p>Thread-safe; but calls with the same token must not overlap, which the lock of their queue ensures.
 */
final class RecentCalls {
    private static final long MAX_WEIGHT = 8L << 20;
    private static final long MAX_AGE_MILLIS = 600_000;
    private static final int BASE_WEIGHT = 200;

    private final ConcurrentHashMap<Key, Call> calls = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Call> byAge = new ConcurrentLinkedQueue<>();
    private final AtomicLong weight = new AtomicLong();

    /** The result of a call; null if it is not known. */
    <R> @Nullable R find(Op<R> op, String queue, String token) {
        Call call = calls.get(new Key(op.name, queue, token));
        return call == null ? null : op.type.cast(call.result);
    }

    /** Remembers a result of any weight. */
    <R> void keep(Op<R> op, String queue, String token, R result, long nowMillis) {
        evict(nowMillis - MAX_AGE_MILLIS);
        Call call = new Call(
                new Key(op.name, queue, token), result, BASE_WEIGHT + op.weight.applyAsLong(result), nowMillis);
        weight.addAndGet(call.weight);
        calls.put(call.key, call);
        byAge.add(call);
    }

    private void evict(long oldestMillis) {
        Call oldest = byAge.peek();
        while (oldest != null && (weight.get() > MAX_WEIGHT || oldest.millis < oldestMillis)) {
            Call evicted = byAge.poll(); // may be the next call if another thread was faster; that is fine too
            if (evicted != null) {
                calls.remove(evicted.key);
                weight.addAndGet(-evicted.weight);
            }
            oldest = byAge.peek();
        }
    }

    /** A kind of call: its name, the type of its result, and the approximate size of a result in bytes. */
    record Op<R>(String name, Class<R> type, ToLongFunction<R> weight) {}

    private record Key(String op, String queue, String token) {}

    private record Call(Key key, Object result, long weight, long millis) {}
}
