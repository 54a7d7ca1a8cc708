package dev.jono.support.mongo;

import com.mongodb.client.MongoClient;
import dev.jono.Storage;
import java.util.Objects;

/**
 * An application's own MongoDB client, for {@code QueueFactoryBuilder.storage}. Jono leaves it open. The URL then gives
 * the type and Jono's options alone: {@code mongo:}.
 *
 * @apiNote What Jono writes, it writes with the write concern {@code majority} and journaled, whatever the client's is.
 *     The client's timeouts are its own: a socket without a read timeout, which is the driver's default, lets a call to a
 *     server that has gone silent hang for as long as TCP does.
 */
public final class MongoStorage implements Storage {
    private final MongoClient client;
    private final String database;

    private MongoStorage(MongoClient client, String database) {
        this.client = Objects.requireNonNull(client, "client");
        this.database = Objects.requireNonNull(database, "database");
    }

    /** A client, and the database that holds the queues. */
    public static MongoStorage of(MongoClient client, String database) {
        return new MongoStorage(client, database);
    }

    MongoClient client() {
        return client;
    }

    String database() {
        return database;
    }
}
