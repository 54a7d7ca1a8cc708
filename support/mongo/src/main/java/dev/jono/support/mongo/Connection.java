package dev.jono.support.mongo;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.jono.ConfigurationException;
import dev.jono.StorageException;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.ServerTime;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** A client, counted by its users, and what its first answer told. */
final class Connection {
    private static final String DEFAULT = "mongodb://localhost:27017/keuss";
    private static final String DEFAULT_DATABASE = "keuss";
    private static final BsonDocument HELLO = new BsonDocument("hello", new BsonInt32(1));

    private static final int ASKED = 5;

    private final String name;
    private final MongoClient client;
    private final boolean own;
    private final String database;
    private final MongoOptions options;
    private final ServerTime time;
    private final boolean replicated;
    private final boolean retriesWrites;
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
        BsonDocument hello = hello();
        for (int i = 1; i < ASKED; i++) {
            hello(); // the first took long, and each narrows what is known of the server's clock
        }
        this.replicated = hello.containsKey("setName")
                || "isdbgrid"
                        .equals(hello.getString("msg", new org.bson.BsonString(""))
                                .getValue());
    }

    /** Connects with a client of our own. */
    static Connection to(ConnectionUrl url, MongoOptions options, PluginConfig config) {
        ConnectionString uri = uri(url);
        String database = uri.getDatabase() == null ? DEFAULT_DATABASE : uri.getDatabase();
        MongoClientSettings settings;
        MongoClient client;
        try {
            settings = settings(uri, options);
            client = MongoClients.create(settings);
        } catch (MongoException e) {
            throw unknown(url, e);
        } catch (IllegalArgumentException e) {
            throw wrong(url, e);
        }
        return open(url.toString(), client, true, settings.getRetryWrites(), database, options, config);
    }

    /** Connects with a client that was handed in. */
    static Connection over(MongoStorage storage, MongoOptions options, PluginConfig config) {
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
            // hello needs no user, so a wrong password shows only here.
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

    private static ConnectionString uri(ConnectionUrl url) {
        try {
            return new ConnectionString(url.location().isEmpty() ? DEFAULT : url.location());
        } catch (MongoException e) {
            throw unknown(url, e);
        } catch (IllegalArgumentException e) {
            throw wrong(url, e);
        }
    }

    /** The name service has been asked for {@code mongodb+srv}, and knows nothing, or is not there. */
    private static StorageException unknown(ConnectionUrl url, MongoException cause) {
        return new StorageException("connecting to " + url + " failed: " + cause.getMessage(), null, null, cause);
    }

    private static ConfigurationException wrong(ConnectionUrl url, RuntimeException cause) {
        // Not as the cause: its text may repeat the password.
        return new ConfigurationException(
                "'" + url + "' names no MongoDB (" + cause.getClass().getSimpleName()
                        + "): expected a form such as " + url.type()
                        + ":mongodb://user:password@host1:27017,host2:27017/database?replicaSet=name, or mongodb+srv://host/database");
    }

    /** The URI decides; what it leaves open is set so that nothing acknowledged is lost and nothing hangs. */
    private static MongoClientSettings settings(ConnectionString uri, MongoOptions options) {
        long timeoutMillis = options.timeout().toMillis();
        MongoClientSettings.Builder settings = MongoClientSettings.builder().applyConnectionString(uri);
        if (uri.getApplicationName() == null) {
            settings.applicationName("jono");
        }
        settings.applyToClusterSettings(cluster -> {
            if (uri.getServerSelectionTimeout() == null) {
                cluster.serverSelectionTimeout(timeoutMillis, TimeUnit.MILLISECONDS);
            }
        });
        settings.applyToSocketSettings(socket -> {
            if (uri.getConnectTimeout() == null) {
                socket.connectTimeout(Math.min(timeoutMillis, Integer.MAX_VALUE), TimeUnit.MILLISECONDS);
            }
            if (uri.getSocketTimeout() == null) {
                socket.readTimeout(Math.min(timeoutMillis, Integer.MAX_VALUE), TimeUnit.MILLISECONDS);
            }
        });
        return settings.build();
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

    /** The server's clock; asks it if nothing has for some time. */
    ServerTime time() {
        if (time.stale()) {
            hello();
        }
        return time;
    }

    /** The server's clock as last seen, to tell it of replies. */
    ServerTime timeAsSeen() {
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

    /** Whether the driver certainly numbers its writes; a client that was handed in does not tell. */
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
