package dev.jono.support.redis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.JonoClock;
import dev.jono.StorageException;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.ServerTime;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one Lettuce client, shared by several {@link RedisLink}s. The last one that releases it closes them.
 * Thread-safe.
 */
final class SharedConnection {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono");

    private final String name;
    private final Clients.Opened client;
    private final JonoClock clock;
    private final ServerTime time;
    private final RedisOptions options;
    /** For commands. */
    private final StatefulConnection<byte[], byte[]> main;

    private final RedisClusterAsyncCommands<byte[], byte[]> commands;
    /**
     * For commands that replicas confirm, because {@code WAIT} blocks its whole connection; the same as {@link #main} without
     * {@code jono.replicas}.
     */
    private final StatefulConnection<byte[], byte[]> replicated;

    private final Reconnector reconnector;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private int users = 1;

    @GuardedBy("lock") private @Nullable StatefulRedisPubSubConnection<byte[], byte[]> pubSub;

    /** Commands that wait for their next attempt. */
    private final Set<RetriedCommand<?>> waiting = ConcurrentHashMap.newKeySet();

    private volatile @Nullable SubscriptionPing subscriptionPing;
    private volatile boolean closed;
    private final AtomicBoolean signalRefused = new AtomicBoolean();

    private SharedConnection(String name, Clients.Opened client, RedisOptions options, JonoClock clock) {
        this.name = name;
        this.client = client;
        this.clock = clock;
        this.time = new ServerTime(clock);
        this.options = options;
        this.main = client.connect();
        this.commands = commands(main);
        this.replicated = options.replicas() == 0 ? main : connectReplicated(client);
        this.reconnector = new Reconnector(name, clock, this::openConnections);
        reconnector.watchDisconnects(main);
    }

    private StatefulConnection<byte[], byte[]> connectReplicated(Clients.Opened client) {
        try {
            return client.connect();
        } catch (RuntimeException failure) {
            main.close(); // the client may be the application's, and stays open
            throw failure;
        }
    }

    private static RedisClusterAsyncCommands<byte[], byte[]> commands(StatefulConnection<byte[], byte[]> of) {
        return of instanceof StatefulRedisClusterConnection<byte[], byte[]> cluster
                ? cluster.async()
                : ((StatefulRedisConnection<byte[], byte[]>) of).async();
    }

    /** Connects with a client of Jono's own. Blocks. */
    static SharedConnection ofUrl(ConnectionUrl url, RedisOptions options, PluginConfig config) {
        return open(url.toString(), Clients.of(url, options, config.clock()), options, config);
    }

    /** Connects with the application's client. Blocks. */
    static SharedConnection ofClient(RedisStorage storage, RedisOptions options, PluginConfig config) {
        return open("the application's Redis client", Clients.of(storage), options, config);
    }

    private static SharedConnection open(
            String name, Clients.Opened client, RedisOptions options, PluginConfig config) {
        boolean opened = false;
        try {
            SharedConnection connection = connect(name, client, options, config.clock());
            connection.warnOfEviction();
            opened = true;
            return connection;
        } catch (RedisException | IllegalStateException | IllegalArgumentException e) {
            // The last one if a library is missing, such as Netty's native transport for a socket.
            throw new StorageException("connecting to " + name + " failed: " + reason(e), null, null, e);
        } finally {
            if (!opened) {
                client.close();
            }
        }
    }

    /** When Redis refuses and closes, Lettuce may see the closing first. A second attempt then gets the reason. */
    private static SharedConnection connect(String name, Clients.Opened client, RedisOptions options, JonoClock clock) {
        try {
            return new SharedConnection(name, client, options, clock);
        } catch (RedisConnectionException failure) {
            if (!reason(failure).contains("closed prematurely")) {
                throw failure;
            }
            return new SharedConnection(name, client, options, clock);
        }
    }

    /** All messages of the chain: the innermost one has the reason, such as a refused password or an unknown host. */
    private static String reason(Throwable failure) {
        StringBuilder text = new StringBuilder(String.valueOf(failure.getMessage()));
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            text.append(": ").append(cause.getMessage());
        }
        if (text.indexOf("unix domain socket") >= 0) {
            text.append(
                    "; add io.netty:netty-transport-native-epoll with the classifier of this system, such as linux-x86_64,"
                            + " to the class path");
        }
        return text.toString();
    }

    /** Warns of a Redis that may evict messages. A user without the right to ask is no error. */
    private void warnOfEviction() {
        commands.configGet("maxmemory-policy").whenComplete((found, refused) -> {
            String policy = found == null ? null : found.get("maxmemory-policy");
            if (policy != null && !policy.equals("noeviction")) {
                LOG.warn(
                        "{}: maxmemory-policy is '{}': when its memory is full, Redis drops messages;"
                                + " set it to noeviction",
                        name,
                        policy);
            }
        });
    }

    boolean cluster() {
        return client.client() instanceof RedisClusterClient;
    }

    <T> CompletableFuture<T> call(
            String step,
            @Nullable String queue,
            boolean mutating,
            Function<RedisClusterAsyncCommands<byte[], byte[]>, ? extends CompletionStage<T>> command) {
        return new RetriedCommand<T>(this, step, queue, mutating, command).start();
    }

    /** Registers a command that waits for its next attempt. It is abandoned if the connection is closed. */
    void addWaiting(RetriedCommand<?> attempt) {
        waiting.add(attempt);
        if (closed) {
            attempt.abandon();
        }
    }

    void removeWaiting(RetriedCommand<?> attempt) {
        waiting.remove(attempt);
    }

    RedisClusterAsyncCommands<byte[], byte[]> commands() {
        return commands;
    }

    /**
     * Commands on the connection whose writes replicas confirm, to the node of a key. On a Cluster they do not follow a slot
     * that has moved.
     */
    CompletionStage<? extends RedisClusterAsyncCommands<byte[], byte[]>> writer(byte[] key) {
        if (!(replicated instanceof StatefulRedisClusterConnection<byte[], byte[]> cluster)) {
            return CompletableFuture.completedFuture(commands(replicated));
        }
        RedisClusterNode node = cluster.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
        if (node == null) {
            return CompletableFuture.failedFuture(new RedisConnectionException("no node has the slot of this queue"));
        }
        return cluster.getConnectionAsync(node.getNodeId()).thenApply(StatefulRedisConnection::async);
    }

    /** Reloads the topology of a Cluster, because a slot has moved. */
    void refresh() {
        if (client.client() instanceof RedisClusterClient cluster) {
            cluster.refreshPartitionsAsync();
        }
    }

    AbstractRedisClient client() {
        return client.client();
    }

    private List<StatefulConnection<byte[], byte[]>> openConnections() {
        StatefulConnection<byte[], byte[]> subscribed;
        lock.lock();
        try {
            subscribed = pubSub;
        } finally {
            lock.unlock();
        }
        return Stream.of(main, replicated, subscribed)
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }

    /** Reconnects to a new primary. */
    Reconnector reconnector() {
        return reconnector;
    }

    JonoClock clock() {
        return clock;
    }

    ServerTime time() {
        return time;
    }

    RedisOptions options() {
        return options;
    }

    /** The connection for subscriptions. The first call connects, and blocks. */
    StatefulRedisPubSubConnection<byte[], byte[]> pubSub() {
        lock.lock();
        try {
            if (users == 0) {
                // Connecting with a client that is shut down would never end.
                throw RedisErrors.closed("listening", null, this, null);
            }
            StatefulRedisPubSubConnection<byte[], byte[]> opened = pubSub;
            if (opened == null) {
                opened = client.subscribe();
                pubSub = opened;
                subscriptionPing = new SubscriptionPing(opened, clock);
            }
            return opened;
        } catch (RedisException e) {
            throw new StorageException("connecting to " + name + " failed: " + reason(e), null, null, e);
        } finally {
            lock.unlock();
        }
    }

    /** Watches the connection for subscriptions; null before that is opened. */
    @Nullable SubscriptionPing subscriptionPing() {
        return subscriptionPing;
    }

    /** Whether the last user has released it. */
    boolean closed() {
        return closed;
    }

    /** Reports that Redis has refused a signal. Returns whether it is the first time. */
    boolean firstSignalRefusal() {
        return signalRefused.compareAndSet(false, true);
    }

    /** Registers another user. Fails if the last one has released the connection. */
    void retain() {
        lock.lock();
        try {
            if (users == 0) {
                throw RedisErrors.closed("connecting", null, this, null);
            }
            users++;
        } finally {
            lock.unlock();
        }
    }

    /** Ends one use; the last one closes the connections, which may block for a moment. */
    void release() {
        StatefulRedisPubSubConnection<byte[], byte[]> subscribed;
        lock.lock();
        try {
            if (--users > 0) {
                return;
            }
            closed = true;
            subscribed = pubSub;
        } finally {
            lock.unlock();
        }
        SubscriptionPing ping = subscriptionPing;
        if (ping != null) {
            ping.close();
        }
        if (subscribed != null) {
            subscribed.close();
        }
        main.close();
        if (replicated != main) {
            replicated.close();
        }
        client.close();
        waiting.forEach(RetriedCommand::abandon);
    }

    @Override
    public String toString() {
        return name;
    }
}
