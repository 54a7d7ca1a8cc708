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
 * Makes the connections to one address anew when Redis answers that it is not the primary: behind a virtual IP, a proxy or a
 * service another server may be the primary by now, while the connections that are there stay with the one before. It leaves
 * with {@code QUIT}, so that what was asked before is answered; Lettuce then connects again. {@link RetriedCommand} reports the answers,
 * on threads of connections. Not for a Cluster, which tells where else to ask. Thread-safe.
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
    /** For commands, for what waits for replicas, and for subscriptions, as far as they are open. */
    private final Supplier<List<StatefulConnection<byte[], byte[]>>> connections;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private long pauseNanos = MIN_PAUSE_NANOS;

    @GuardedBy("lock") private long reconnectedNanos;

    @GuardedBy("lock") private long roleAskedNanos;

    /** Whether it was told that this is no primary, and no change has been confirmed since. */
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

    /** Tells when a connection that was left is gone. */
    void watchDisconnects(StatefulConnection<byte[], byte[]> commands) {
        commands.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
                quitting = false;
            }
        });
    }

    /** How often the connections were made anew; to be handed back with the answer of what is sent now. */
    int generation() {
        return generation;
    }

    /** Whether what would be sent now would come behind a {@code QUIT}, and be lost. */
    boolean quitting() {
        return quitting && clock.nanos() - quitNanos < MAX_QUIT_NANOS;
    }

    /** A change was made: this is the primary. */
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
     * Redis has answered that it is not the primary.
     *
     * @param answer its code
     * @param sent the {@link #generation} of when it was asked
     */
    void notPrimary(String answer, int sent) {
        lock.lock();
        try {
            long now = clock.nanos();
            if (sent != generation || now - reconnectedNanos < pauseNanos) {
                return;
            }
            generation = sent + 1; // only here, with the lock held
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
                "{}: Redis answers {}: it is not the primary (any more, or yet); connecting anew, until another answers there",
                name,
                answer);
        for (StatefulConnection<byte[], byte[]> connection : connections.get()) {
            quit(connection);
        }
    }

    private void quit(StatefulConnection<byte[], byte[]> connection) {
        CompletableFuture<String> left;
        try {
            left = ((StatefulRedisConnection<byte[], byte[]>) connection)
                    .async()
                    .quit()
                    .toCompletableFuture();
        } catch (RuntimeException closing) {
            left = CompletableFuture.failedFuture(closing);
        }
        left.exceptionally(failure -> {
            LOG.debug("{}: a connection was not left", name, failure);
            quitting = false;
            return "";
        });
    }

    /**
     * Asks now and then whether this is the primary, for those who only publish: a replica takes that too, and its listeners
     * alone hear it. No error where the user may not ask.
     */
    void checkRole(RedisClusterAsyncCommands<byte[], byte[]> commands) {
        if (rolesRefused || !roleCheckDue()) {
            return;
        }
        int sent = generation;
        commands.role().whenComplete((role, failure) -> {
            if (failure != null) {
                rolesRefused = RedisErrors.refused(failure);
            } else if (!role.isEmpty() && Replies.text(role.get(0)).equals("slave")) {
                notPrimary("that its role is replica", sent);
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
