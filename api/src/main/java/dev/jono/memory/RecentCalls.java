package dev.jono.memory;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The results of the latest mutating calls, so that a repeated call gets the first result again. Strictly the oldest
 * goes first, by weight and after some minutes: a cache that favours what is asked for often would forget the latest,
 * which alone are ever repeated. The bound is low because what is kept here survives garbage collections. Thread-safe;
 * calls under one token must not overlap, which the lock of their queue sees to.
 */
final class RecentCalls {
    private static final long MAX_WEIGHT = 8L << 20;
    private static final long MAX_AGE_MILLIS = 600_000;
    private static final int BASE_WEIGHT = 200;

    private final ConcurrentHashMap<Key, Call> calls = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Call> byAge = new ConcurrentLinkedQueue<>();
    private final AtomicLong weight = new AtomicLong();

    /** The result of this call; null when it is not known. */
    <R> @Nullable R find(Op<R> op, String queue, String token) {
        Call call = calls.get(new Key(op.name, queue, token));
        return call == null ? null : op.type.cast(call.result);
    }

    /** Remembers a result, whatever its weight. */
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
            Call evicted = byAge.poll(); // by now perhaps the one behind it, which is no worse
            if (evicted != null) {
                calls.remove(evicted.key);
                weight.addAndGet(-evicted.weight);
            }
            oldest = byAge.peek();
        }
    }

    /** A kind of call: its name, the type of its result, and about how many bytes a result keeps alive. */
    record Op<R>(String name, Class<R> type, ToLongFunction<R> weight) {}

    private record Key(String op, String queue, String token) {}

    private record Call(Key key, Object result, long weight, long millis) {}
}
