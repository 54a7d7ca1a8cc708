package dev.jono.support.redis;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Asks on the connection for subscriptions whether Redis still hears, when nothing has come for a while: who waits for
 * signals sends nothing, and so would never learn that the other side has vanished without a word. What comes of it is
 * {@link StallGuard}'s business. Nothing is asked while nobody listens. Thread-safe.
 */
final class SubscriptionPing extends RedisPubSubAdapter<byte[], byte[]> {
    /** A little more than the default poll interval: looks that travel here ({@link RedisLink#probe}) save the question. */
    static final long QUIET_NANOS = Duration.ofSeconds(16).toNanos();

    private final StatefulRedisPubSubConnection<byte[], byte[]> connection;
    private final JonoClock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile long heardNanos;

    @GuardedBy("lock") private JonoClock.@Nullable Timer timer;

    @GuardedBy("lock") private boolean closed;

    SubscriptionPing(StatefulRedisPubSubConnection<byte[], byte[]> connection, JonoClock clock) {
        this.connection = connection;
        this.clock = clock;
        connection.addListener(this);
    }

    /** For looks, which are answered here as well as elsewhere. */
    RedisClusterAsyncCommands<byte[], byte[]> commands() {
        return connection.async();
    }

    @CanIgnoreReturnValue
    <T> CompletionStage<T> observe(CompletionStage<T> answer) {
        return answer.whenComplete((done, failure) -> {
            if (failure == null) {
                heard();
            }
        });
    }

    private void heard() {
        heardNanos = clock.nanos();
    }

    @Override
    public void message(byte[] channel, byte[] message) {
        heard();
    }

    @Override
    public void subscribed(byte[] channel, long count) {
        heard();
        lock.lock();
        try {
            if (timer == null && !closed) {
                timer = clock.schedule(QUIET_NANOS, this::pingIfQuiet);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void unsubscribed(byte[] channel, long count) {
        heard();
        if (count == 0) {
            stop();
        }
    }

    private void pingIfQuiet() {
        long left = heardNanos + QUIET_NANOS - clock.nanos();
        if (left <= 0) {
            observe(connection.async().ping());
        }
        lock.lock();
        try {
            if (timer != null) {
                timer = clock.schedule(left <= 0 ? QUIET_NANOS : left, this::pingIfQuiet);
            }
        } finally {
            lock.unlock();
        }
    }

    private void stop() {
        lock.lock();
        try {
            if (timer != null) {
                timer.cancel();
                timer = null;
            }
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        stop();
    }
}
