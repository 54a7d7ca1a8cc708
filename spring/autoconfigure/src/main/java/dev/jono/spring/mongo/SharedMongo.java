package dev.jono.spring.mongo;

import com.mongodb.client.MongoClient;
import dev.jono.ConfigurationException;
import dev.jono.Storage;
import dev.jono.spring.SharedStorage;
import dev.jono.support.mongo.MongoStorage;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.StringUtils;

/** The MongoDB client of the application. The queues are in its database, unless {@code jono.database} names another. */
final class SharedMongo implements SharedStorage {
    private final MongoClient client;
    private final @Nullable String database;
    private final ObjectProvider<DatabaseName> databases;

    SharedMongo(MongoClient client, @Nullable String database, ObjectProvider<DatabaseName> databases) {
        this.client = client;
        this.database = StringUtils.hasText(database) ? database : null;
        this.databases = databases;
    }

    @Override
    public String name() {
        return "MongoDB";
    }

    @Override
    public List<String> backends() {
        return List.of("mongo", "pl-mongo", "ps-mongo", "bucket-mongo-safe", "bucket-mongo");
    }

    @Override
    public Storage storage() {
        if (database == null) {
            return MongoStorage.of(client, databaseOfApplication());
        }
        try {
            return MongoStorage.of(client, database);
        } catch (IllegalArgumentException refused) {
            throw new InvalidConfigurationPropertyValueException(
                    "jono.database", database, String.valueOf(refused.getMessage()));
        }
    }

    private String databaseOfApplication() {
        return databases
                .orderedStream()
                .map(DatabaseName::find)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new ConfigurationException(
                        "the MongoDB connection of the application names no database; set jono.database"));
    }
}
