package dev.jono.support.mongo;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.jono.ConfigurationException;
import dev.jono.StorageException;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.OutageLog;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.ServerTime;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A MongoDB client with the number of its users, and what the server said when it was opened. The last {@link
 * MongoLink} that closes ends the client, unless the application handed it in. Thread-safe.
 */
final class Connection {
    private static final BsonDocument HELLO = new BsonDocument("hello", new BsonInt32(1));

    private static final int HELLO_CALLS = 5;
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono");

    private final String name;
    private final MongoClient client;
    private final boolean own;
    private final String database;
    private final MongoOptions options;
    private final ServerTime time;
    private final boolean replicated;
    private final boolean retriesWrites;
    private final OutageLog outages;
    private volatile boolean oneAddress;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private int users = 1;

    private Connection(
            String name,
            MongoClient client,
            boolean own,
            boolean retriesWrites,
            String database,
            MongoOptions options,
            PluginConfig config) {
        this.name = name;
        this.client = client;
        this.own = own;
        this.retriesWrites = retriesWrites;
        this.database = database;
        this.options = options;
        this.time = new ServerTime(config.clock());
        this.outages = new OutageLog(config.clock());
        BsonDocument hello = hello();
        for (int i = 1; i < HELLO_CALLS; i++) {
            hello(); // the first call takes long; each further one makes the estimate of the server's clock more
            // precise
        }
        this.replicated = hello.containsKey("setName")
                || "isdbgrid".equals(hello.getString("msg", new BsonString("")).getValue());
    }

    /** Connects with a new client. */
    static Connection connect(ConnectionUrl url, MongoOptions options, PluginConfig config) {
        DriverSettings.Target target = DriverSettings.target(url, options);
        requireSockets(url, target.settings());
        ReplicaSetNames names = new ReplicaSetNames(target.settings());
        MongoClientSettings settings = names.withListener(target.settings());
        MongoClient client = MongoClients.create(settings);
        try {
            Connection opened =
                    open(url.toString(), client, true, settings.getRetryWrites(), target.database(), options, config);
            opened.oneAddress = DriverSettings.oneAddress(settings);
            return opened;
        } catch (StorageException failure) {
            throw names.explain(failure);
        }
    }

    /** Connects with a client of the application. */
    static Connection using(MongoStorage storage, MongoOptions options, PluginConfig config) {
        return open(
                "the MongoDB client that was handed in",
                storage.client(),
                false,
                false,
                storage.database(),
                options,
                config);
    }

    private static Connection open(
            String name,
            MongoClient client,
            boolean own,
            boolean retriesWrites,
            String database,
            MongoOptions options,
            PluginConfig config) {
        boolean opened = false;
        try {
            Connection connection = new Connection(name, client, own, retriesWrites, database, options, config);
            // hello needs no user; a wrong password is found only here.
            client.getDatabase(database).runCommand(new BsonDocument("ping", new BsonInt32(1)));
            opened = true;
            return connection;
        } catch (MongoException e) {
            throw new StorageException(
                    "connecting to " + name + " failed: " + MongoErrors.text(e) + MongoErrors.advice(e), null, null, e);
        } finally {
            if (!opened && own) {
                client.close();
            }
        }
    }

    /** Without the library for Unix sockets, the driver would look for the server until its timeout. */
    private static void requireSockets(ConnectionUrl url, MongoClientSettings settings) {
        boolean sockets = settings.getClusterSettings().getHosts().stream()
                .anyMatch(server -> server.getHost().endsWith(".sock"));
        if (!sockets) {
            return;
        }
        try {
            Class.forName("jnr.unixsocket.UnixSocketChannel", false, MongoClients.class.getClassLoader());
        } catch (ClassNotFoundException missing) {
            throw new ConfigurationException(
                    "'" + url + "' names a Unix socket: add com.github.jnr:jnr-unixsocket to the class path", missing);
        }
    }

    /** Warns if the server at the only address is not the primary; the driver does not report it. */
    void warnIfNotPrimary(Throwable failure) {
        if (oneAddress && MongoErrors.notPrimary(failure)) {
            outages.warn(
                    LOG.getName(),
                    null,
                    "{}: the MongoDB server is not the primary, or no longer: connections to this address are replaced within"
                            + " {} s, because another server may have the address by then; the call is repeated",
                    name,
                    DriverSettings.CONNECTION_LIFE_SECONDS);
        }
    }

    private BsonDocument hello() {
        long sent = time.nanos();
        BsonDocument hello = client.getDatabase("admin").runCommand(HELLO, BsonDocument.class);
        BsonValue local = hello.get("localTime");
        if (local != null && local.isDateTime()) {
            time.observe(local.asDateTime().getValue(), sent);
        }
        return hello;
    }

    /** The server's clock; asks the server if the last answer is old. */
    ServerTime time() {
        if (time.stale()) {
            hello();
        }
        return time;
    }

    /** The estimate of the server's clock, without a call to the server. */
    ServerTime lastKnownTime() {
        return time;
    }

    MongoClient client() {
        return client;
    }

    String database() {
        return database;
    }

    MongoOptions options() {
        return options;
    }

    boolean replicated() {
        return replicated;
    }

    /** Whether the driver certainly numbers its writes. A client of the application does not tell. */
    boolean retriesWrites() {
        return replicated && retriesWrites;
    }

    void retain() {
        lock.lock();
        try {
            if (users == 0) {
                throw new StorageException("the connection to " + name + " is closed", null, null, null);
            }
            users++;
        } finally {
            lock.unlock();
        }
    }

    void release() {
        lock.lock();
        try {
            if (--users > 0) {
                return;
            }
        } finally {
            lock.unlock();
        }
        if (own) {
            client.close();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
