package dev.jono.e2e;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.jono.spi.BackendProvider;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.RedisServer;
import dev.jono.testkit.server.TestSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ServiceLoader;
import java.util.UUID;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;

/**
 * A process that runs the contract of the SPI with the libraries on its class path. The contract exercises every
 * command that Jono sends. The tests mostly wait for leases, so they run in parallel.
 */
final class ShortContracts {
    private ShortContracts() {}

    /** No arguments. */
    public static void main(String[] args) {
        TestRun.runAndExit(LauncherDiscoveryRequestBuilder.request()
                .selectors(
                        selectClass(Sqlite.class),
                        selectClass(RedisOq.class),
                        selectClass(RedisList.class),
                        selectClass(Mongo.class),
                        selectClass(BucketMongoSafe.class),
                        selectClass(Postgres.class),
                        selectClass(KeussPostgres.class))
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "16")
                .build());
    }

    private static ContractSetup.Builder setup(String type, String location) {
        BackendProvider provider = ServiceLoader.load(BackendProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found -> found.type().equals(type))
                .findFirst()
                .orElseThrow();
        return ContractSetup.builder(type + ":" + location)
                .declares(provider.capabilities())
                .realTime(Duration.ofSeconds(1));
    }

    private static ContractSetup redis(String type) {
        return setup(type, RedisServer.sharedUri() + "?jono.prefix=" + UUID.randomUUID())
                .build();
    }

    private static ContractSetup mongo(String type) {
        String database = "jono_test_" + UUID.randomUUID().toString().substring(0, 13);
        String uri = MongoReplicaSet.sharedUri(database);
        return setup(type, uri + (uri.contains("?") ? "&" : "?") + "jono.one-database=true")
                .onClose(() -> Databases.CLIENT.getDatabase(database).drop())
                .build();
    }

    private static ContractSetup postgres(String type, TestSchema schema, String options) {
        return setup(type, schema.jdbcUrl() + "&jono.schema=" + schema.name() + options)
                .onClose(schema::close)
                .build();
    }

    /** Opened when the first database is dropped. */
    private static final class Databases {
        static final MongoClient CLIENT = MongoClients.create(MongoReplicaSet.sharedUri("admin"));
    }

    static class Sqlite extends StoreContract {
        @Override
        protected ContractSetup open() {
            try {
                Path folder = Files.createTempDirectory("jono-sqlite"); // goes with java.io.tmpdir
                return setup("sqlite", folder.resolve("queues.db").toString())
                        .settable()
                        .build();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static class RedisOq extends StoreContract {
        @Override
        protected ContractSetup open() {
            return redis("redis-oq");
        }
    }

    static class RedisList extends StoreContract {
        @Override
        protected ContractSetup open() {
            return redis("redis-list");
        }
    }

    static class Mongo extends StoreContract {
        @Override
        protected ContractSetup open() {
            return mongo("mongo");
        }
    }

    static class BucketMongoSafe extends StoreContract {
        @Override
        protected ContractSetup open() {
            return mongo("bucket-mongo-safe");
        }
    }

    static class Postgres extends StoreContract {
        @Override
        protected ContractSetup open() {
            return postgres("postgres", TestSchema.in(PostgresServer.sharedUrl()), "");
        }
    }

    static class KeussPostgres extends StoreContract {
        @Override
        protected ContractSetup open() {
            TestSchema schema = TestSchema.in(PostgresServer.sharedUrl());
            return postgres("keuss-postgres", schema, "&jono.tables=" + schema.name());
        }
    }
}
