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
import dev.jono.StorageException;
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
 * The use of a connection to MongoDB by one backend, signaller or stats. Plugins that share a connection get the link
 * of the backend ({@link dev.jono.spi.Backend#storage}) and open their own from it; the last one that closes ends the
 * client. Calls block the calling thread. Thread-safe.
 */
public final class MongoLink implements Storage, AutoCloseable {
    /** A write is acknowledged when it is in the journals of a majority. */
    private static final WriteConcern SAFE = WriteConcern.MAJORITY.withJournal(true);

    private final Connection connection;
    private final AtomicBoolean closed = new AtomicBoolean();

    private MongoLink(Connection connection) {
        this.connection = connection;
    }

    /**
     * Connects, or shares the connection in {@link PluginConfig#storage()}. Blocks.
     *
     * @param extraOptions the names of the plugin's options beyond those of {@link MongoOptions}
     * @throws ConfigurationException if the URL or an option is wrong
     * @throws StorageException if MongoDB cannot be reached or refuses
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
                        + " leave one of them out (with a client, the URL " + url.type() + ": is enough)");
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

    /** The database of the queues. Writes wait for a majority; reads go to the primary. */
    public MongoDatabase database() {
        return database(connection.database());
    }

    /**
     * The database for signals or stats. As in keuss, its name is that of the queues' database with a suffix; with the
     * option {@code jono.one-database} it is the queues' database itself.
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

    /** The collection of counters and paused flags, as in keuss. */
    public static final String STATS = "keuss_stats";

    /** The collection of unique keys, in the database of the queues. */
    public static final String UNIQUE_KEYS = "jono_unique_keys";

    /** The collection of the records of jobs, in the database of the queues. */
    public static final String JOBS = "jono_jobs";

    /** The collection of the counts of these records, in the database of the queues. */
    public static final String JOB_COUNTS = "jono_job_counts";

    /** The collection of the entries of jobs, such as schedules, in the database of the queues. */
    public static final String JOB_ENTRIES = "jono_job_entries";

    /** The collection of the events of jobs, in the database of the queues. */
    public static final String JOB_EVENTS = "jono_job_events";

    private static final Set<String> OF_JOBS = Set.of(JOBS, JOB_COUNTS, JOB_ENTRIES, JOB_EVENTS);

    private static final String CHANNEL = "default";
    private static final String CHANNEL_IN_ONE_DATABASE = "keuss_signal";

    /**
     * The collection of signals: the one of keuss, or another one if signals share the queues' database, because a
     * queue may have that name.
     */
    public String signals() {
        return connection.options().oneDatabase() ? CHANNEL_IN_ONE_DATABASE : CHANNEL;
    }

    /** Why a collection of queues cannot have this name; null if it can. */
    public @Nullable String refuseCollection(String name) {
        if (name.equals(UNIQUE_KEYS)) {
            return "this collection holds unique keys";
        }
        if (OF_JOBS.contains(name)) {
            return "this collection holds the data of jobs";
        }
        if (connection.options().oneDatabase() && (name.equals(STATS) || name.equals(CHANNEL_IN_ONE_DATABASE))) {
            return "with jono.one-database this collection holds signals or stats";
        }
        return name.isEmpty() || name.startsWith("system.") || name.startsWith(".") || name.indexOf('$') >= 0
                ? "the name of a collection must not be empty, begin with 'system.' or '.', or contain '$'"
                : null;
    }

    /** The suffixes of the databases for signals and stats. */
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

    /** Whether the server has transactions and repeatable writes: a replica set, or a router in front of some. */
    public boolean replicated() {
        return connection.replicated();
    }

    /**
     * Whether a write of a {@link PinnedSession} certainly takes effect once, however often it is sent. It is false if
     * the URI says {@code retryWrites=false}, and for a client of the application, which does not tell.
     */
    public boolean retriesWrites() {
        return connection.retriesWrites();
    }

    /** The server's clock, from an answer of the last seconds. It may ask the server, and so block. */
    public ServerTime time() {
        return connection.time();
    }

    /** The server's clock by the last answer. Does not block. */
    public ServerTime lastKnownTime() {
        return connection.lastKnownTime();
    }

    /**
     * Runs some calls of the driver and translates its exceptions.
     *
     * @param step the step for error messages, such as {@code push}
     * @param queue the queue for error messages; null if the calls concern no single queue
     * @param mutating whether the calls change something; then the outcome is unknown after a lost reply
     * @throws dev.jono.JonoException instead of the driver's exceptions
     */
    public <R> R call(String step, @Nullable String queue, boolean mutating, Supplier<R> calls) {
        try {
            return mutating ? calls.get() : RepeatedReads.run(calls);
        } catch (MongoException failure) {
            connection.warnIfNotPrimary(failure);
            throw MongoErrors.translate(step, queue, mutating, failure);
        } catch (JonoException failure) {
            connection.warnIfNotPrimary(failure);
            throw failure;
        } catch (IllegalStateException failure) {
            if (closed.get()) {
                throw new StorageException(
                        step + " failed: the connection to " + connection + " is closed", queue, null, failure);
            }
            throw failure;
        }
    }

    /** As {@link #call}, on a thread of the executor. Never blocks. */
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

    /** Ends this use; the last one closes the client, unless the application handed it in. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            connection.release();
        }
    }

    /** The URL without credentials. */
    @Override
    public String toString() {
        return connection.toString();
    }
}
