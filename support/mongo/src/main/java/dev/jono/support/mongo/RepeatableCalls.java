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
 * What became of the last calls of one kind, by their tokens, so that a repeated call takes effect once. It is kept in the
 * process, for nobody else repeats a call of this process; what the server is needed for, a {@link Way} asks. Of two attempts of
 * one call at the same time the second waits for the first. Thread-safe.
 *
 * @param <R> the result of a call
 */
public final class RepeatableCalls<R> {
    /** So many without an answer are kept beside those that have one. */
    private static final int UNANSWERED = 8;
    /** So many sweeps one without an answer is kept for its repetition. */
    private static final int UNANSWERED_SWEEPS = 20;

    private final int kept;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();

    @GuardedBy("lock") private final Map<String, Call<R>> calls = new LinkedHashMap<>();

    @GuardedBy("lock") private final Set<String> running = new HashSet<>();

    /** What is known of one. */
    private static final class Call<R> {
        final Supplier<Optional<R>> later;
        final boolean answered;
        /** Sweeps since it was asked for last. */
        int sweeps;

        Call(Supplier<Optional<R>> later, boolean answered) {
            this.later = later;
            this.answered = answered;
        }
    }

    /**
     * None yet.
     *
     * @param kept how many calls with an answer are remembered; older ones are forgotten
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
        Call<R> before = begin(token);
        try {
            if (before != null) {
                Optional<R> known = before.later.get();
                if (known.isPresent()) {
                    put(token, new Call<>(() -> known, true));
                    return known.get();
                }
                forget(token); // it can be asked once
            }
            R result = body.apply(later -> put(token, new Call<>(later, false)));
            put(token, new Call<>(() -> Optional.of(result), true));
            return result;
        } finally {
            end(token);
        }
    }

    /** Whether there are any whose answer was lost, and which may be repeated. */
    boolean unanswered() {
        lock.lock();
        try {
            return !running.isEmpty() || calls.values().stream().anyMatch(call -> !call.answered);
        } finally {
            lock.unlock();
        }
    }

    /** Forgets the results of before the last time: they may hold payloads, and nobody asks for them so late; and calls given up. */
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

    @GuardedBy("lock") private void forgetEldest(boolean answered, int most) {
        long there = calls.values().stream()
                .filter(call -> call.answered == answered)
                .count();
        Iterator<Call<R>> eldest = calls.values().iterator();
        while (there > most && eldest.hasNext()) {
            if (eldest.next().answered == answered) {
                eldest.remove();
                there--;
            }
        }
    }

    private void put(String token, Call<R> call) {
        lock.lock();
        try {
            calls.remove(token);
            calls.put(token, call);
            forgetEldest(true, kept);
            forgetEldest(false, UNANSWERED);
        } finally {
            lock.unlock();
        }
    }
}
