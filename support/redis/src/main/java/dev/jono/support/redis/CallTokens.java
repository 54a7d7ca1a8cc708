package dev.jono.support.redis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which calls Redis remembers for one kind of call on one queue. Redis keeps the result of each mutating call under a key
 * of its own for some minutes, so that a repeated call gets the first result. That would be a lot of keys on a busy
 * queue; so each call takes along the key of one that was answered a few calls ago, which nobody repeats any more. What
 * was never answered stays until its minutes are over. Thread-safe.
 */
public final class CallTokens {
    private final int kept;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final ArrayDeque<byte[]> answered = new ArrayDeque<>(2);

    /**
     * None yet.
     *
     * @param kept how many answered calls stay remembered
     */
    public CallTokens(int kept) {
        this.kept = kept;
    }

    /** The keys of a script, and behind them that of a call which Redis may forget, if there is one. */
    public byte[][] with(byte[]... keys) {
        byte[] forgotten = forget();
        if (forgotten == null) {
            return keys;
        }
        byte[][] more = Arrays.copyOf(keys, keys.length + 1);
        more[keys.length] = forgotten;
        return more;
    }

    private byte @Nullable [] forget() {
        lock.lock();
        try {
            return answered.size() > kept ? answered.poll() : null;
        } finally {
            lock.unlock();
        }
    }

    /** A call was answered, and remembered under this key. */
    public void answered(byte[] key) {
        lock.lock();
        try {
            answered.add(key);
        } finally {
            lock.unlock();
        }
    }
}
