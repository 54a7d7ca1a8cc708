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
 * One user's hold on a connection to Redis: a backend, a signaller or stats. Those that share it are handed the
 * backend's ({@link dev.jono.spi.Backend#storage}) and open theirs from it; the last that closes ends the connection.
 *
 * <p>There is one connection for commands, on which all calls of a factory are pipelined, and one for subscriptions,
 * opened when it is first asked for; where {@code jono.replicas} is set, one more for what waits for replicas.
 * Calls never block; their stages complete on the connection's thread, which must
 * not be kept. Thread-safe.
 */
public final class RedisLink implements Storage, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.signal");

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
     * Connects, or joins the connection that {@link PluginConfig#storage()} is. May block.
     *
     * @param extraOptions names of options that the plugin has beyond those of {@link RedisOptions}
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
                throw new ConfigurationException("'" + url + "' names a server, and a Redis client was handed in too:"
                        + " leave one of them out (" + url.type() + ": is enough beside a client)");
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

    /** Names of keys and channels on this connection. */
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

    /** Whether two users share one connection, and so certainly speak to the same Redis under the same names. */
    public boolean shares(RedisLink other) {
        return connection == other.connection && options.prefix().equals(other.options.prefix());
    }

    /**
     * Runs a script: by its digest, or by its text where Redis does not know it (yet, or any more). On a Cluster the
     * first key decides the node, and all must be in one slot.
     *
     * @param queue for messages; null where no single queue is concerned
     * @return what the script returns: a list of {@code byte[]}, {@code Long} and lists; fails with a
     *     {@link dev.jono.JonoException}
     */
    public CompletableFuture<List<Object>> run(Script script, @Nullable String queue, byte[][] keys, byte[]... args) {
        return call(script.name(), queue, script.mutating(), commands -> evaluate(commands, script, keys, args));
    }

    /**
     * {@link #run} for a script that changes nothing and that a waiting process sends now and then. Where the process
     * listens to signals from the same server, it travels over that connection: so one that has gone silent is noticed
     * at no cost, and made anew. What fails there is asked over the connection for commands.
     */
    public CompletableFuture<List<Object>> probe(Script script, @Nullable String queue, byte[][] keys, byte[]... args) {
        SubscriptionPing pulse = connection.cluster() || closed.get() ? null : connection.subscriptionPing();
        if (pulse == null) {
            return run(script, queue, keys, args);
        }
        return pulse.observe(evaluate(pulse.commands(), script, keys, args))
                .exceptionallyCompose(failure -> run(script, queue, keys, args))
                .toCompletableFuture();
    }

    /** {@link #run}, completed when as many replicas as {@code jono.replicas} says have it too. */
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
                        .thenCompose(writer -> evaluate(writer, script, keys, args)
                                .thenCompose(result -> result.isEmpty()
                                        ? CompletableFuture.completedFuture(result) // nothing is written
                                        : awaitReplicas(writer, script, queue, result))));
    }

    /** {@code WAIT} speaks of what the same connection wrote, so it follows on the connection of the script. */
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
            String what = script.name() + (queue == null ? "" : " on queue '" + queue + "'");
            String why = failure == null
                    ? count + " of " + options.replicas() + " replicas (jono.replicas) have confirmed it within "
                            + waitMillis + " ms"
                    : "the replicas could not be asked: "
                            + RedisErrors.unwrap(failure).getMessage();
            throw new OutcomeUnknownException(what + " is stored, but " + why, queue, null, failure);
        });
    }

    /**
     * What a script answered, and a list that it left.
     *
     * @param answer of the script
     * @param list what stands in the list, from its left end
     */
    public record AnswerAndList(List<Object> answer, List<byte[]> list) {}

    /**
     * {@link #run} for a script that leaves a list under a key of the same slot; the list is read in the same round trip.
     * What a script itself hands over Redis copies into Lua and hashes, byte by byte; of a list that is read beside it, it
     * does neither.
     *
     * @param list the key
     * @param size how long the list is, as the script's answer tells; 0 if there is none
     */
    public CompletableFuture<AnswerAndList> runAndReadList(
            Script script,
            @Nullable String queue,
            byte[] list,
            ToIntFunction<List<Object>> size,
            byte[][] keys,
            byte[]... args) {
        return call(script.name(), queue, script.mutating(), commands -> {
            CompletionStage<List<Object>> answered = evaluate(commands, script, keys, args);
            CompletionStage<List<byte[]>> read = commands.lrange(list, 0, -1);
            return answered.thenCompose(answer -> {
                int length = size.applyAsInt(answer);
                if (length == 0) {
                    return CompletableFuture.completedFuture(new AnswerAndList(answer, List.of()));
                }
                // It was read too early where the script had to be sent again: by its text, or to another node.
                return read.thenCompose(texts -> texts.size() == length
                                ? CompletableFuture.completedFuture(texts)
                                : commands.lrange(list, 0, -1))
                        .handle((texts, failure) -> {
                            if (failure == null) {
                                return new AnswerAndList(answer, texts);
                            }
                            throw new OutcomeUnknownException(
                                    script.name() + (queue == null ? "" : " on queue '" + queue + "'")
                                            + " is done, but what it brought could not be read: "
                                            + RedisErrors.unwrap(failure).getMessage(),
                                    queue,
                                    null,
                                    failure);
                        });
            });
        });
    }

    private static CompletionStage<List<Object>> evaluate(
            RedisClusterAsyncCommands<byte[], byte[]> commands, Script script, byte[][] keys, byte[][] args) {
        return commands.<List<Object>>evalsha(script.digest(), ScriptOutputType.MULTI, keys, args)
                .exceptionallyCompose(failure -> RedisErrors.unwrap(failure) instanceof RedisNoScriptException
                        ? commands.eval(script.body(), ScriptOutputType.MULTI, keys, args)
                        : CompletableFuture.failedFuture(failure));
    }

    /**
     * A script that publishes a signal has answered. Where Redis refused the signal, what the script did is done all the
     * same; that is told once, as a warning.
     *
     * @param size of an answer behind which nothing stands; else why the signal was refused
     */
    public void warnIfSignalRefused(String queue, List<Object> answer, int size) {
        if (answer.size() > size && connection.firstSignalRefusal()) {
            LOG.warn(
                    "Redis refuses the signals of queue '{}' ({}): what is pushed is stored, but other processes see it at"
                            + " their poll interval; let the user publish to the channels of signals",
                    queue,
                    Replies.text(answer.get(size)));
        }
    }

    /** The server's clock as last seen; whoever sends a script that answers the time tells it. */
    public ServerTime lastSeenTime() {
        return connection.time();
    }

    /**
     * The server's clock, not older than some seconds: asks the server if nobody has for some time.
     *
     * @param step for messages: what wants to know
     * @param queue for messages
     */
    public CompletionStage<ServerTime> time(String step, String queue) {
        ServerTime time = connection.time();
        if (!time.stale()) {
            return CompletableFuture.completedFuture(time);
        }
        long sent = time.nanos();
        return call(step, queue, false, RedisClusterAsyncCommands::time).thenApply(told -> {
            long micros = 1_000_000 * Replies.number(told.get(0)) + Replies.number(told.get(1));
            time.observe(micros / 1000, sent);
            return time;
        });
    }

    /**
     * Sends a command of Lettuce's. While Redis is away or not ready, and has certainly not seen it, it is tried again
     * until the connection's timeout; one that changes nothing also where its answer was cut off.
     *
     * @param step for messages: what is tried, such as {@code push}
     * @param queue for messages; null where no single queue is concerned
     * @param mutating whether it changes something: decides what a lost reply means
     * @return fails with a {@link dev.jono.JonoException}; with a {@link dev.jono.QueueClosedException}, and certainly
     *     not done, after {@link #close}
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

    /** Publishes a signal, over the connection for commands; fails as {@link #call} does. */
    public CompletableFuture<Long> publish(String queue, byte[] channel, byte[] message) {
        if (!closed.get() && !connection.cluster()) {
            connection.reconnector().checkRole(connection.commands());
        }
        // Not a change that somebody relies on: one whose answer is lost has failed, and that is all.
        return call("signal", queue, false, commands -> commands.publish(channel, message));
    }

    /**
     * The connection for subscriptions, shared by all users of this connection. The first call connects, and blocks.
     *
     * @throws dev.jono.StorageException if Redis cannot be reached or refuses
     * @throws dev.jono.QueueClosedException after the last user has closed
     */
    public StatefulRedisPubSubConnection<byte[], byte[]> pubSub() {
        return connection.pubSub();
    }

    /** Ends this user's hold; with the last one, the connection. Idempotent. May block for a moment. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            connection.release();
        }
    }

    /** Where it leads, without credentials. */
    @Override
    public String toString() {
        return connection.toString();
    }
}
