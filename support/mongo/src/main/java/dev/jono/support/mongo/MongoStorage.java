package dev.jono.support.mongo;

import com.mongodb.MongoNamespace;
import com.mongodb.client.MongoClient;
import dev.jono.Storage;
import java.util.Objects;

/**
 * An application's own MongoDB client, for {@code QueueFactoryBuilder.storage}. Jono never closes it. The URL then has
 * only the type and Jono's options: {@code mongo:}.
 *
 * @apiNote Jono writes with the write concern {@code majority} and journaled, whatever the concern of the client is.
 *     The timeouts of the client apply. Without a read timeout, which is the driver's default, a call to a silent
 *     server hangs until TCP gives up.
 */
public final class MongoStorage implements Storage {
    private final MongoClient client;
    private final String database;

    private MongoStorage(MongoClient client, String database) {
        this.client = Objects.requireNonNull(client, "client");
        this.database = Objects.requireNonNull(database, "database");
    }

    /**
     * A client, and the database that holds the queues.
     *
     * @throws IllegalArgumentException if no database can have this name
     */
    public static MongoStorage of(MongoClient client, String database) {
        MongoNamespace.checkDatabaseNameValidity(database);
        return new MongoStorage(client, database);
    }

    MongoClient client() {
        return client;
    }

    String database() {
        return database;
    }
}
