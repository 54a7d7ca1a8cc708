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
 * The calls of one kind on one queue whose results Redis remembers. Redis keeps the result of each mutating call under a key of
 * its own for some minutes, so that a repeated call gets the first result. To keep the number of these keys small, each call
 * also deletes the key of an older call that was answered: no caller repeats that one any more.
 *
 * <p>The key of a call that was never answered, or only when it was repeated, stays until Redis expires it: a lost attempt may
 * reach Redis long after its connection was closed. Thread-safe.
 */
public final class CallTokens {
    /** Calls without an answer that are tracked at most; more than are ever in flight. */
    private static final int MAX_UNANSWERED = 1_000;

    private final int kept;
    private final ReentrantLock lock = new ReentrantLock();

    /** Keys of calls that were answered, the oldest first. */
    @GuardedBy("lock") private final ArrayDeque<byte[]> answered = new ArrayDeque<>(2);

    /** Tokens of calls without an answer, and whether they were repeated. */
    @GuardedBy("lock") private final LinkedHashMap<String, Boolean> unanswered = new LinkedHashMap<>(2);

    /**
     * Starts without any call.
     *
     * @param kept how many answered calls Redis keeps remembering
     */
    public CallTokens(int kept) {
        this.kept = kept;
    }

    /** The keys for a script, followed by the key of an obsolete call, if there is one, which the script deletes. */
    public byte[][] withObsolete(byte[]... keys) {
        byte[] obsolete = nextObsolete();
        if (obsolete == null) {
            return keys;
        }
        byte[][] more = Arrays.copyOf(keys, keys.length + 1);
        more[keys.length] = obsolete;
        return more;
    }

    /** Removes and returns the keys of all answered calls, for a script that deletes the queue. */
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

    /** Begins a call, or another attempt of it. */
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

    /** One attempt of a call, sent as one script or several. Redis remembers each until all are done. Thread-safe. */
    public final class Call {
        private final String token;
        private final boolean repeated;
        private final Queue<byte[]> keys = new ConcurrentLinkedQueue<>();

        private Call(String token, boolean repeated) {
            this.token = token;
            this.repeated = repeated;
        }

        /**
         * Whether an earlier attempt was not answered. That attempt may reach Redis after this one, so Redis must remember what
         * this one finds, even if it finds nothing.
         */
        public boolean repeated() {
            return repeated;
        }

        /** Reports that a script was answered, and the key under which Redis remembers it. */
        public void answered(byte[] key) {
            keys.add(key);
        }

        /** Registers the end of the call. Returns a stage with the same outcome. */
        public <R> CompletionStage<R> track(CompletionStage<R> stage) {
            return stage.whenComplete((result, failure) -> {
                lock.lock();
                try {
                    boolean onlyAttempt = Boolean.FALSE.equals(unanswered.get(token));
                    if (failure == null && onlyAttempt) {
                        answered.addAll(keys);
                    }
                    if (failure == null
                            || (onlyAttempt && !(RedisErrors.unwrap(failure) instanceof OutcomeUnknownException))) {
                        unanswered.remove(token);
                    }
                } finally {
                    lock.unlock();
                }
            });
        }
    }
}
