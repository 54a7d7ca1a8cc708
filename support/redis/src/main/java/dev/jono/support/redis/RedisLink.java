package dev.jono.support.redis;

import dev.jono.ConfigurationException;
import dev.jono.OutcomeUnknownException;
import dev.jono.Storage;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.ServerTime;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One plugin's handle on a connection to Redis: of a backend, a signaller or stats. Plugins that share a connection get the
 * backend's handle ({@link dev.jono.spi.Backend#storage}) and open their own from it. Closing the last handle closes the
 * connection.
 *
 * <p>There is one connection for commands, on which all calls of a factory are pipelined; one for subscriptions, opened when it
 * is first needed; and with {@code jono.replicas} one more for writes that replicas confirm. Calls never block. Their stages
 * complete on the connection's thread, which callbacks must not block. Thread-safe.
 */
public final class RedisLink implements Storage, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.signal");

    /** The end of a key that never exists. No queue's name contains a NUL. */
    private static final byte[] NEVER = RedisKeys.bytes("\0never");

    private final SharedConnection connection;
    private final RedisKeys keys;
    private final RedisOptions options;
    private final AtomicBoolean closed = new AtomicBoolean();

    private RedisLink(SharedConnection connection, RedisOptions options) {
        this.connection = connection;
        this.options = options;
        try {
            this.keys = new RedisKeys(options.prefix(), connection.cluster());
        } catch (ConfigurationException wrong) {
            connection.release();
            throw wrong;
        }
    }

    /**
     * Connects, or shares the connection of {@link PluginConfig#storage()}. May block.
     *
     * @param extraOptions names of the plugin's own options, in addition to those of {@link RedisOptions}
     * @throws ConfigurationException if the URL or an option is wrong
     * @throws dev.jono.StorageException if Redis cannot be reached or refuses
     */
    public static RedisLink open(PluginConfig config, Set<String> extraOptions) {
        ConnectionUrl url = config.url();
        RedisOptions options = RedisOptions.parse(url, extraOptions);
        Storage storage = config.storage();
        if (storage instanceof RedisLink other) {
            RedisOptions.refuseOwn(url);
            other.connection.retain();
            return new RedisLink(other.connection, other.options);
        }
        if (storage instanceof RedisStorage handedIn) {
            if (!url.location().isEmpty()) {
                throw new ConfigurationException("'" + url + "' names a server, but a Redis client was handed in too:"
                        + " leave one of them out (" + url.type() + ": is enough with a client)");
            }
            RedisOptions.refuseForClient(url);
            return new RedisLink(SharedConnection.ofClient(handedIn, options, config), options);
        }
        if (storage != null) {
            throw new ConfigurationException("'" + url.type() + "' cannot use a storage of "
                    + storage.getClass().getName() + ": hand in a RedisStorage, or name a server in the URL");
        }
        return new RedisLink(SharedConnection.ofUrl(url, options, config), options);
    }

    /** The names of keys and channels on this connection. */
    public RedisKeys keys() {
        return keys;
    }

    /** The options with which the connection was opened. */
    public RedisOptions options() {
        return options;
    }

    /** Whether the server is a Redis Cluster. */
    public boolean cluster() {
        return connection.cluster();
    }

    /** Whether two handles share one connection and one prefix: then they certainly use the same keys of the same Redis. */
    public boolean shares(RedisLink other) {
        return connection == other.connection && options.prefix().equals(other.options.prefix());
    }

    /**
     * Runs a script by its digest, or by its text if Redis does not know it. On a Cluster the first key decides the node, and
     * all keys must be in one slot; a script that changes something may get one more key than these, behind them, which does not
     * exist.
     *
     * @param queue for exception messages; null if no single queue is concerned
     * @return what the script returns: a list of {@code byte[]}, {@code Long} and lists; fails with a
     *     {@link dev.jono.JonoException}
     */
    public CompletableFuture<List<Object>> run(Script script, @Nullable String queue, byte[][] keys, byte[]... args) {
        return call(
                script.name(),
                queue,
                script.mutating(),
                commands -> evaluate(commands, script, whole(script, keys), args));
    }

    /**
     * {@link #run} for a script that changes nothing and that a waiting process sends from time to time. If the process
     * listens to signals from the same server, the script is sent on that connection: this detects a silent connection at no
     * cost. A script that fails there is sent again on the connection for commands.
     */
    public CompletableFuture<List<Object>> probe(Script script, @Nullable String queue, byte[][] keys, byte[]... args) {
        SubscriptionPing ping = connection.cluster() || closed.get() ? null : connection.subscriptionPing();
        if (ping == null) {
            return run(script, queue, keys, args);
        }
        return ping.observe(evaluate(ping.commands(), script, keys, args))
                .exceptionallyCompose(failure -> run(script, queue, keys, args))
                .toCompletableFuture();
    }

    /** {@link #run}, completed when the number of replicas in {@code jono.replicas} have confirmed it. */
    public CompletableFuture<List<Object>> runReplicated(
            Script script, @Nullable String queue, byte[][] keys, byte[]... args) {
        if (options.replicas() == 0) {
            return run(script, queue, keys, args);
        }
        return call(
                script.name(),
                queue,
                script.mutating(),
                ignored -> connection
                        .writer(keys[0])
                        .thenCompose(writer -> evaluate(writer, script, whole(script, keys), args)
                                .thenCompose(result -> result.isEmpty()
                                        ? CompletableFuture.completedFuture(result) // nothing is written
                                        : awaitReplicas(writer, script, queue, result))));
    }

    /** {@code WAIT} covers the writes of its own connection, so it is sent on the connection of the script. */
    private CompletionStage<List<Object>> awaitReplicas(
            RedisClusterAsyncCommands<byte[], byte[]> writer,
            Script script,
            @Nullable String queue,
            List<Object> result) {
        long waitMillis = Math.max(1, options.timeout().toMillis() / 2);
        return writer.waitForReplication(options.replicas(), waitMillis).handle((count, failure) -> {
            if (failure == null && count >= options.replicas()) {
                return result;
            }
            String reason = failure == null
                    ? count + " of " + options.replicas() + " replicas (jono.replicas) have confirmed it within "
                            + waitMillis + " ms"
                    : "the replicas could not be asked: "
                            + RedisErrors.unwrap(failure).getMessage();
            throw new OutcomeUnknownException(
                    RedisErrors.operation(script.name(), queue) + " is stored, but " + reason, queue, null, failure);
        });
    }

    /**
     * The answer of a script, and the list that it wrote.
     *
     * @param list the elements, from the list's left end
     */
    public record AnswerAndList(List<Object> answer, List<byte[]> list) {}

    /**
     * {@link #run} for a script that writes a list under a key of the same slot. The list is read in the same round trip. Redis
     * copies and hashes each byte that a script returns itself; a separate read avoids that.
     *
     * @param list the key
     * @param size from the script's answer to the length of the list; 0 if there is none
     */
    public CompletableFuture<AnswerAndList> runAndReadList(
            Script script,
            @Nullable String queue,
            byte[] list,
            ToIntFunction<List<Object>> size,
            byte[][] keys,
            byte[]... args) {
        return call(script.name(), queue, script.mutating(), commands -> {
            CompletionStage<List<Object>> answered = evaluate(commands, script, whole(script, keys), args);
            CompletionStage<List<byte[]>> read = commands.lrange(list, 0, -1);
            return answered.thenCompose(answer -> {
                int length = size.applyAsInt(answer);
                if (length == 0) {
                    return CompletableFuture.completedFuture(new AnswerAndList(answer, List.of()));
                }
                // The read came too early if the script had to be sent again: by its text, or to another node.
                return read.thenCompose(texts -> texts.size() == length
                                ? CompletableFuture.completedFuture(texts)
                                : commands.lrange(list, 0, -1))
                        .handle((texts, failure) -> {
                            if (failure == null) {
                                return new AnswerAndList(answer, texts);
                            }
                            throw new OutcomeUnknownException(
                                    RedisErrors.operation(script.name(), queue)
                                            + " is done, but its messages could not be read: "
                                            + RedisErrors.unwrap(failure).getMessage(),
                                    queue,
                                    null,
                                    failure);
                        });
            });
        });
    }

    /**
     * The keys for a script that changes several keys of a Cluster: one that never exists is added. While a slot moves, Redis
     * starts a script only if all its keys are on the node, and refuses a call inside the script whose key is gone. So a script
     * that removes the last element of a key could end in the middle. With a missing key it does not start before the slot has
     * moved. (Source: {@code getNodeByQuery} in cluster.c of Redis.)
     */
    private byte[][] whole(Script script, byte[][] keys) {
        if (!connection.cluster() || !script.mutating() || keys.length < 2) {
            return keys;
        }
        byte[][] more = Arrays.copyOf(keys, keys.length + 1);
        more[keys.length] = Arrays.copyOf(keys[0], keys[0].length + NEVER.length);
        System.arraycopy(NEVER, 0, more[keys.length], keys[0].length, NEVER.length);
        return more;
    }

    private static CompletionStage<List<Object>> evaluate(
            RedisClusterAsyncCommands<byte[], byte[]> commands, Script script, byte[][] keys, byte[][] args) {
        return commands.<List<Object>>evalsha(script.digest(), ScriptOutputType.MULTI, keys, args)
                .exceptionallyCompose(failure -> RedisErrors.unwrap(failure) instanceof RedisNoScriptException
                        ? commands.eval(script.body(), ScriptOutputType.MULTI, keys, args)
                        : CompletableFuture.failedFuture(failure));
    }

    /**
     * Warns once if Redis refused the signal that a script published. Everything else that the script did is done.
     *
     * @param size of an answer without a refusal. In a longer one, the reason follows at this index
     */
    public void warnIfSignalRefused(String queue, List<Object> answer, int size) {
        if (answer.size() > size && connection.firstSignalRefusal()) {
            LOG.warn(
                    "Redis refuses the signals of queue '{}' ({}): messages are stored, but other processes see them only at"
                            + " their poll interval; allow the user to publish to the channels of signals",
                    queue,
                    Replies.text(answer.get(size)));
        }
    }

    /** The server's clock as last seen. Callers report the time that a script returns to it. */
    public ServerTime lastSeenTime() {
        return connection.time();
    }

    /**
     * The server's clock, read some seconds ago at most. Asks the server if the last reading is older.
     *
     * @param step the operation that needs it, for exception messages
     * @param queue for exception messages
     */
    public CompletionStage<ServerTime> time(String step, String queue) {
        ServerTime time = connection.time();
        if (!time.stale()) {
            return CompletableFuture.completedFuture(time);
        }
        long sentNanos = time.nanos();
        return call(step, queue, false, RedisClusterAsyncCommands::time).thenApply(reply -> {
            long micros = 1_000_000 * Replies.number(reply.get(0)) + Replies.number(reply.get(1));
            time.observe(micros / 1000, sentNanos);
            return time;
        });
    }

    /**
     * Sends a command. While Redis is unreachable or not ready, and has certainly not seen the command, it is sent again until
     * the connection's timeout. A command that changes nothing is also sent again if its answer was lost.
     *
     * @param step the operation, such as {@code push}, for exception messages
     * @param queue for exception messages; null if no single queue is concerned
     * @param mutating whether the command changes something. This decides what a lost answer means
     * @return fails with a {@link dev.jono.JonoException}; after {@link #close}, certainly not done, with a {@link
     *     dev.jono.QueueClosedException}
     */
    public <T> CompletableFuture<T> call(
            String step,
            @Nullable String queue,
            boolean mutating,
            Function<RedisClusterAsyncCommands<byte[], byte[]>, ? extends CompletionStage<T>> command) {
        if (closed.get()) {
            return CompletableFuture.failedFuture(RedisErrors.closed(step, queue, connection, null));
        }
        return connection.call(step, queue, mutating, command);
    }

    /** Publishes a signal on the connection for commands. Fails as {@link #call} does. */
    public CompletableFuture<Long> publish(String queue, byte[] channel, byte[] message) {
        if (!closed.get() && !connection.cluster()) {
            connection.reconnector().checkRole(connection.commands());
        }
        // Sent as one that changes nothing: no caller relies on a signal, so a lost answer is a plain failure.
        return call("signal", queue, false, commands -> commands.publish(channel, message));
    }

    /**
     * The connection for subscriptions, shared by all handles. The first call connects, and blocks.
     *
     * @throws dev.jono.StorageException if Redis cannot be reached or refuses
     * @throws dev.jono.QueueClosedException after the last handle was closed
     */
    public StatefulRedisPubSubConnection<byte[], byte[]> pubSub() {
        return connection.pubSub();
    }

    /** Closes this handle, and with the last one the connection. Idempotent. May block for a moment. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            connection.release();
        }
    }

    /** The server, without credentials. */
    @Override
    public String toString() {
        return connection.toString();
    }
}
