package dev.jono.support.redis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.OutcomeUnknownException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which calls Redis remembers for one kind of call on one queue. Redis keeps the result of each mutating call under a key
 * of its own for some minutes, so that a repeated call gets the first result. That would be a lot of keys on a busy
 * queue; so each call takes along the key of one that was answered a few calls ago, which nobody repeats any more. What
 * was never answered, or only when it was repeated, stays until its minutes are over: the bytes of a lost attempt may
 * reach Redis long after their connection was given up. Thread-safe.
 */
public final class CallTokens {
    /** Of so many calls without an answer it is known here whether they were repeated: more than are ever under way. */
    private static final int MAX_UNANSWERED = 1_000;

    private final int kept;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final ArrayDeque<byte[]> answered = new ArrayDeque<>(2);

    /** Tokens of calls without an answer, and whether they were repeated. */
    @GuardedBy("lock") private final LinkedHashMap<String, Boolean> unanswered = new LinkedHashMap<>(2);

    /**
     * None yet.
     *
     * @param kept how many answered calls stay remembered
     */
    public CallTokens(int kept) {
        this.kept = kept;
    }

    /** The keys of a script, and behind them that of a call which Redis may forget, if there is one. */
    public byte[][] withObsolete(byte[]... keys) {
        byte[] forgotten = nextObsolete();
        if (forgotten == null) {
            return keys;
        }
        byte[][] more = Arrays.copyOf(keys, keys.length + 1);
        more[keys.length] = forgotten;
        return more;
    }

    /** The keys of all calls that were answered, which Redis may forget: the queue is about to be deleted. */
    public List<byte[]> drainAnswered() {
        lock.lock();
        try {
            List<byte[]> all = List.copyOf(answered);
            answered.clear();
            return all;
        } finally {
            lock.unlock();
        }
    }

    private byte @Nullable [] nextObsolete() {
        lock.lock();
        try {
            return answered.size() > kept ? answered.poll() : null;
        } finally {
            lock.unlock();
        }
    }

    /** A call begins, or is repeated. */
    public Call begin(String token) {
        lock.lock();
        try {
            boolean repeated = unanswered.containsKey(token);
            unanswered.put(token, repeated);
            if (unanswered.size() > MAX_UNANSWERED) {
                unanswered.remove(unanswered.keySet().iterator().next());
            }
            return new Call(token, repeated);
        } finally {
            lock.unlock();
        }
    }

    /** One attempt of a call, in one script or several. Redis must remember each of them until all are done. Thread-safe. */
    public final class Call {
        private final String token;
        private final boolean repeated;
        private final Queue<byte[]> keys = new ConcurrentLinkedQueue<>();

        private Call(String token, boolean repeated) {
            this.token = token;
            this.repeated = repeated;
        }

        /**
         * Whether an attempt before was not answered: its bytes may come later than those of this one. What this one finds
         * must be remembered, also if it is nothing.
         */
        public boolean repeated() {
            return repeated;
        }

        /** A script was answered, and is remembered under this key. */
        public void answered(byte[] key) {
            keys.add(key);
        }

        /** To be called with what the call came to; returns it, as it was. */
        public <R> CompletionStage<R> track(CompletionStage<R> stage) {
            return stage.whenComplete((result, failure) -> {
                lock.lock();
                try {
                    boolean alone = Boolean.FALSE.equals(unanswered.get(token));
                    if (failure == null && alone) {
                        answered.addAll(keys);
                    }
                    if (failure == null
                            || (alone && !(RedisErrors.unwrap(failure) instanceof OutcomeUnknownException))) {
                        unanswered.remove(token);
                    }
                } finally {
                    lock.unlock();
                }
            });
        }
    }
}
