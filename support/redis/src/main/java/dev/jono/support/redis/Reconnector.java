package dev.jono.support.redis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.spi.OutageLog;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconnects when Redis answers that it is not the primary. Behind a virtual IP, a proxy or a service, another server may have
 * become the primary, while the open connections still lead to the old one. This class ends them with {@code QUIT}, so that
 * commands in flight are answered; Lettuce then connects again. {@link RetriedCommand} reports the answers, on threads of
 * connections. Not used for a Cluster, whose answers name the right node. Thread-safe.
 */
final class Reconnector {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono");
    private static final long MIN_PAUSE_NANOS = Duration.ofMillis(250).toNanos();
    private static final long MAX_PAUSE_NANOS = Duration.ofSeconds(8).toNanos();
    private static final long MAX_QUIT_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long ROLE_INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

    private final String name;
    private final JonoClock clock;
    private final OutageLog outages;
    /** The open connections. */
    private final Supplier<List<StatefulConnection<byte[], byte[]>>> connections;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private long pauseNanos = MIN_PAUSE_NANOS;

    @GuardedBy("lock") private long reconnectedNanos;

    @GuardedBy("lock") private long roleAskedNanos;

    /** Whether a server has answered that it is not the primary, and no write was confirmed since. */
    private volatile boolean doubtful;

    private volatile boolean rolesRefused;
    private volatile int generation;
    private volatile boolean quitting;
    private volatile long quitNanos;

    Reconnector(String name, JonoClock clock, Supplier<List<StatefulConnection<byte[], byte[]>>> connections) {
        this.name = name;
        this.clock = clock;
        this.outages = new OutageLog(clock);
        this.connections = connections;
        this.reconnectedNanos = clock.nanos() - MAX_PAUSE_NANOS;
        this.roleAskedNanos = clock.nanos() - ROLE_INTERVAL_NANOS;
    }

    /** Learns from this connection when one that was quit has ended. */
    void watchDisconnects(StatefulConnection<byte[], byte[]> commands) {
        commands.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
                quitting = false;
            }
        });
    }

    /** How often this class has reconnected. A caller passes the value at sending to {@link #notPrimary}. */
    int generation() {
        return generation;
    }

    /** Whether a command sent now would follow a {@code QUIT}, and be lost. */
    boolean quitting() {
        return quitting && clock.nanos() - quitNanos < MAX_QUIT_NANOS;
    }

    /** Reports that Redis has confirmed a write: this is the primary. */
    void primaryConfirmed() {
        if (!doubtful) {
            return;
        }
        lock.lock();
        try {
            doubtful = false;
            pauseNanos = MIN_PAUSE_NANOS;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Reports that Redis has answered that it is not the primary. Reconnects, unless it has done so since the command was sent
     * or a short time ago.
     *
     * @param answer the answer's code
     * @param sentGeneration the {@link #generation} at sending
     */
    void notPrimary(String answer, int sentGeneration) {
        lock.lock();
        try {
            long now = clock.nanos();
            if (sentGeneration != generation || now - reconnectedNanos < pauseNanos) {
                return;
            }
            generation = sentGeneration + 1; // written only here, with the lock
            reconnectedNanos = now;
            pauseNanos = Math.min(2 * pauseNanos, MAX_PAUSE_NANOS);
            quitNanos = now;
            quitting = true;
            doubtful = true;
        } finally {
            lock.unlock();
        }
        outages.warn(
                LOG.getName(),
                null,
                "{}: Redis answers {}: it is not the primary; reconnecting until the primary answers at this address",
                name,
                answer);
        for (StatefulConnection<byte[], byte[]> connection : connections.get()) {
            quit(connection);
        }
    }

    private void quit(StatefulConnection<byte[], byte[]> connection) {
        CompletableFuture<String> quit;
        try {
            quit = ((StatefulRedisConnection<byte[], byte[]>) connection)
                    .async()
                    .quit()
                    .toCompletableFuture();
        } catch (RuntimeException closing) {
            quit = CompletableFuture.failedFuture(closing);
        }
        quit.exceptionally(failure -> {
            LOG.debug("{}: QUIT failed on a connection", name, failure);
            quitting = false;
            return "";
        });
    }

    /**
     * Asks for the server's role, at most once a second, on behalf of callers that only publish. A replica accepts {@code
     * PUBLISH} too, but only its own subscribers receive the signal. A user without the right to ask is no error.
     */
    void checkRole(RedisClusterAsyncCommands<byte[], byte[]> commands) {
        if (rolesRefused || !roleCheckDue()) {
            return;
        }
        int sentGeneration = generation;
        commands.role().whenComplete((role, failure) -> {
            if (failure != null) {
                rolesRefused = RedisErrors.refused(failure);
            } else if (!role.isEmpty() && Replies.text(role.get(0)).equals("slave")) {
                notPrimary("that its role is replica", sentGeneration);
            } else {
                primaryConfirmed();
            }
        });
    }

    private boolean roleCheckDue() {
        lock.lock();
        try {
            long now = clock.nanos();
            if (now - roleAskedNanos < ROLE_INTERVAL_NANOS) {
                return false;
            }
            roleAskedNanos = now;
            return true;
        } finally {
            lock.unlock();
        }
    }
}
