package dev.jono.support.mongo;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the last calls of one kind by their tokens, so that a repeated call takes effect once. The memory of this
 * process is enough, because no other process repeats its calls. A call that fails with an unknown outcome says before
 * what its repetition does instead ({@link Running#onRepeat}). If two threads run the same call, the second waits for
 * the first. Thread-safe.
 *
 * @param <R> the result of a call
 */
public final class RepeatableCalls<R> {
    /** How many unanswered calls are kept, in addition to answered ones. */
    private static final int MAX_UNANSWERED = 8;
    /** An unanswered call is forgotten after this many sweeps without a repetition. */
    private static final int UNANSWERED_SWEEPS = 20;

    private final int kept;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();

    @GuardedBy("lock") private final Map<String, Call<R>> calls = new LinkedHashMap<>();

    @GuardedBy("lock") private final Set<String> running = new HashSet<>();

    /** What is known of one call. */
    private static final class Call<R> {
        final Supplier<Optional<R>> outcome;
        final boolean answered;
        /** Sweeps since the call was last repeated. */
        int sweeps;

        Call(Supplier<Optional<R>> outcome, boolean answered) {
            this.outcome = outcome;
            this.answered = answered;
        }
    }

    /**
     * Without calls.
     *
     * @param kept how many answered calls are remembered; older ones are forgotten
     */
    public RepeatableCalls(int kept) {
        this.kept = kept;
    }

    /** A call while it runs. */
    @FunctionalInterface
    public interface Running<R> {
        /**
         * Says what a repetition of the call does first. Without it, or if the outcome is empty, a repetition runs the call
         * again. The last one counts.
         *
         * @param outcome finds the outcome of this call: its result, or empty if it certainly had no effect
         */
        void onRepeat(Supplier<Optional<R>> outcome);
    }

    /**
     * Runs a call, or finds out what became of it if it has run before.
     *
     * @param body runs the call; before it fails with an unknown outcome, it says what a repetition does
     */
    public R run(String token, Function<Running<R>, R> body) {
        Call<R> before = begin(token);
        try {
            if (before != null) {
                Optional<R> known = before.outcome.get();
                if (known.isPresent()) {
                    put(token, new Call<>(() -> known, true));
                    return known.get();
                }
                forget(token); // it can be asked only once
            }
            R result = body.apply(outcome -> put(token, new Call<>(outcome, false)));
            put(token, new Call<>(() -> Optional.of(result), true));
            return result;
        } finally {
            end(token);
        }
    }

    /** Whether calls are running, or have lost their answers and may be repeated. */
    boolean unanswered() {
        lock.lock();
        try {
            return !running.isEmpty() || calls.values().stream().anyMatch(call -> !call.answered);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Forgets answered calls from before the last sweep, because results may hold payloads, and unanswered calls given
     * up.
     */
    void forgetOld() {
        lock.lock();
        try {
            calls.values().removeIf(call -> ++call.sweeps > (call.answered ? 1 : UNANSWERED_SWEEPS));
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Call<R> begin(String token) {
        lock.lock();
        try {
            while (!running.add(token)) {
                ended.awaitUninterruptibly();
            }
            Call<R> before = calls.get(token);
            if (before != null) {
                before.sweeps = 0;
            }
            return before;
        } finally {
            lock.unlock();
        }
    }

    private void end(String token) {
        lock.lock();
        try {
            running.remove(token);
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void forget(String token) {
        lock.lock();
        try {
            calls.remove(token);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void forgetEldest(boolean answered, int max) {
        long count = calls.values().stream()
                .filter(call -> call.answered == answered)
                .count();
        Iterator<Call<R>> eldest = calls.values().iterator();
        while (count > max && eldest.hasNext()) {
            if (eldest.next().answered == answered) {
                eldest.remove();
                count--;
            }
        }
    }

    private void put(String token, Call<R> call) {
        lock.lock();
        try {
            calls.remove(token);
            calls.put(token, call);
            forgetEldest(true, kept);
            forgetEldest(false, MAX_UNANSWERED);
        } finally {
            lock.unlock();
        }
    }
}
