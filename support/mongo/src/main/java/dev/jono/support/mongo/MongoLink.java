package dev.jono.support.mongo;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.jono.ConfigurationException;
import dev.jono.JonoException;
import dev.jono.Storage;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.ServerTime;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * One user's hold on a connection to MongoDB: a backend, a signaller or stats. Those that share it are handed the
 * backend's ({@link dev.jono.spi.Backend#storage}) and open theirs from it; the last that closes ends the client. Calls
 * block. Thread-safe.
 */
public final class MongoLink implements Storage, AutoCloseable {
    /** How often something is looked up while queues are deleted under it. */
    private static final int READ_ATTEMPTS = 5;

    /** On the disk of a majority before it counts. */
    private static final WriteConcern SAFE = WriteConcern.MAJORITY.withJournal(true);

    private final Connection connection;
    private final AtomicBoolean closed = new AtomicBoolean();

    private MongoLink(Connection connection) {
        this.connection = connection;
    }

    /**
     * Connects, or joins the connection that {@link PluginConfig#storage()} is. Blocks.
     *
     * @param extraOptions names of options that the plugin has beyond those of {@link MongoOptions}
     * @throws ConfigurationException if the URL or an option is wrong
     * @throws dev.jono.StorageException if MongoDB cannot be reached or refuses
     */
    public static MongoLink open(PluginConfig config, Set<String> extraOptions) {
        ConnectionUrl url = config.url();
        MongoOptions options = MongoOptions.parse(url, extraOptions);
        Storage storage = config.storage();
        if (storage instanceof MongoLink other) {
            MongoOptions.refuseOwn(url);
            other.connection.retain();
            return new MongoLink(other.connection);
        }
        if (storage instanceof MongoStorage handedIn) {
            if (!url.location().isEmpty()) {
                throw new ConfigurationException("'" + url + "' names a server, and a MongoDB client was handed in too:"
                        + " leave one of them out (" + url.type() + ": is enough beside a client)");
            }
            return new MongoLink(Connection.using(handedIn, options, config));
        }
        if (storage != null) {
            throw new ConfigurationException("'" + url.type() + "' cannot use a storage of "
                    + storage.getClass().getName() + ": hand in a MongoStorage, or name a server in the URL");
        }
        return new MongoLink(Connection.connect(url, options, config));
    }

    /** The driver's client. */
    public MongoClient client() {
        return connection.client();
    }

    /** The database of the queues, with safe writes, read from the primary. */
    public MongoDatabase database() {
        return database(connection.database());
    }

    /**
     * The database for what is shared beside the queues, keuss's place: that of the queues and this suffix, or that of
     * the queues itself where the option {@code jono.one-database} says so.
     */
    public MongoDatabase database(Suffix suffix) {
        return database(
                connection.options().oneDatabase() ? connection.database() : connection.database() + suffix.text);
    }

    private MongoDatabase database(String name) {
        return client().getDatabase(name)
                .withWriteConcern(SAFE)
                .withReadConcern(ReadConcern.DEFAULT)
                .withReadPreference(ReadPreference.primary());
    }

    /** A collection of the queues' database. */
    public MongoCollection<RawBsonDocument> collection(String name) {
        return database().getCollection(name, RawBsonDocument.class);
    }

    /** keuss's collection of counters and paused flags. */
    public static final String STATS = "keuss_stats";

    private static final String CHANNEL = "default";
    private static final String CHANNEL_IN_ONE_DATABASE = "keuss_signal";

    /** The collection of signals: keuss's; in one database with the queues another, for a queue may be called so. */
    public String signals() {
        return connection.options().oneDatabase() ? CHANNEL_IN_ONE_DATABASE : CHANNEL;
    }

    /** Whether a collection of this name is not a queue's: signals and stats in the same database. */
    public boolean keeps(String collection) {
        return connection.options().oneDatabase()
                && (collection.equals(STATS) || collection.equals(CHANNEL_IN_ONE_DATABASE));
    }

    /** What stands beside the queues' database. */
    public enum Suffix {
        /** Signals. */
        SIGNAL("_signal"),
        /** Counters and the paused flag. */
        STATS("_stats");

        private final String text;

        Suffix(String text) {
            this.text = text;
        }
    }

    /** The options with which the connection was opened. */
    public MongoOptions options() {
        return connection.options();
    }

    /** Whether the server has transactions and writes that can be repeated: a replica set, or a router before some. */
    public boolean replicated() {
        return connection.replicated();
    }

    /**
     * Whether a write of a {@link PinnedSession} is certainly done once, however often it is sent: not where the URI says
     * {@code retryWrites=false}, nor with a client that was handed in, which does not tell.
     */
    public boolean retriesWrites() {
        return connection.retriesWrites();
    }

    /** The server's clock, not older than some seconds; may ask the server, and so block. */
    public ServerTime time() {
        return connection.time();
    }

    /** The server's clock as last seen; does not block. */
    public ServerTime timeAsSeen() {
        return connection.timeAsSeen();
    }

    /**
     * Runs some of the driver's calls.
     *
     * @param step for messages: what is tried, such as {@code push}
     * @param queue for messages; null where no single queue is concerned
     * @param mutating whether it changes something: decides what a lost reply means
     * @throws dev.jono.JonoException in place of what the driver throws
     */
    public <R> R call(String step, @Nullable String queue, boolean mutating, Supplier<R> calls) {
        return call(step, queue, mutating, calls, mutating ? 1 : READ_ATTEMPTS);
    }

    private <R> R call(String step, @Nullable String queue, boolean mutating, Supplier<R> calls, int attempts) {
        try {
            return calls.get();
        } catch (MongoException failure) {
            if (attempts > 1 && MongoErrors.planKilled(failure)) {
                return call(step, queue, mutating, calls, attempts - 1);
            }
            connection.warnIfNotPrimary(failure);
            throw MongoErrors.translate(step, queue, mutating, failure);
        } catch (JonoException failure) {
            connection.warnIfNotPrimary(failure);
            throw failure;
        } catch (IllegalStateException failure) {
            if (closed.get()) {
                throw new dev.jono.StorageException(
                        step + " failed: the connection to " + connection + " is closed", queue, null, failure);
            }
            throw failure;
        }
    }

    /** As {@link #call}, on another thread. Never blocks. */
    public <R> CompletableFuture<R> callAsync(
            Executor executor, String step, @Nullable String queue, boolean mutating, Supplier<R> calls) {
        CompletableFuture<R> result = new CompletableFuture<>();
        try {
            executor.execute(() -> {
                try {
                    result.complete(call(step, queue, mutating, calls));
                } catch (Throwable failure) {
                    result.completeExceptionally(failure);
                }
            });
        } catch (RejectedExecutionException closing) {
            result.completeExceptionally(closing);
        }
        return result;
    }

    /** Ends this user's hold; with the last one, the client, if it is Jono's own. Idempotent. */
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
