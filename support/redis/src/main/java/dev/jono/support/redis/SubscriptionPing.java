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
 * Sends {@code PING} on the connection for subscriptions when nothing has arrived for a while. A process that only waits for
 * signals sends nothing, and would not notice that the server has vanished. If the ping is not answered, {@link StallGuard}
 * closes the connection. Without a subscription nothing is sent. Thread-safe.
 */
final class SubscriptionPing extends RedisPubSubAdapter<byte[], byte[]> {
    /** A little longer than the default poll interval: probes on this connection ({@link RedisLink#probe}) replace the ping. */
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

    /** Commands on this connection, for probes. */
    RedisClusterAsyncCommands<byte[], byte[]> commands() {
        return connection.async();
    }

    /** Counts a successful answer as a sign of life. */
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
