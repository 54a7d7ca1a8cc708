package dev.jono.support.mongo;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What became of the last calls of one kind, by their tokens, so that a repeated call takes effect once. It is kept in the
 * process, for nobody else repeats a call of this process; what the server is needed for, a {@link Way} asks. Thread-safe.
 *
 * @param <R> the result of a call
 */
public final class RepeatableCalls<R> {
    private final int kept;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final Map<String, Supplier<Optional<R>>> calls = new LinkedHashMap<>();

    /**
     * None yet.
     *
     * @param kept how many calls are remembered; older ones are forgotten
     */
    public RepeatableCalls(int kept) {
        this.kept = kept;
    }

    /** How to find out later what became of a call: gives its result, or nothing if it was certainly not done. */
    public interface Way<R> {
        /** Leaves it behind, before the call fails. */
        void leave(Supplier<Optional<R>> later);
    }

    /**
     * Runs a call, or finds out what became of it if it has run before.
     *
     * @param body the call; fails or returns its result
     */
    public R run(String token, Function<Way<R>, R> body) {
        Supplier<Optional<R>> before = get(token);
        if (before != null) {
            Optional<R> known = before.get();
            if (known.isPresent()) {
                put(token, () -> known);
                return known.get();
            }
        }
        R result = body.apply(later -> put(token, later));
        put(token, () -> Optional.of(result));
        return result;
    }

    private @Nullable Supplier<Optional<R>> get(String token) {
        lock.lock();
        try {
            return calls.get(token);
        } finally {
            lock.unlock();
        }
    }

    private void put(String token, Supplier<Optional<R>> later) {
        lock.lock();
        try {
            calls.remove(token);
            calls.put(token, later);
            if (calls.size() > kept) {
                calls.remove(calls.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
    }
}
