package dev.jono.e2e.keuss;

import dev.jono.QueueFactoryBuilder;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.RedisServer;
import dev.jono.testkit.server.TestSchema;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A schema on the shared PostgreSQL for the queues, a Redis for signals and stats, and a Node process. */
final class PostgresPlace extends KeussCase.Place {
    private final TestSchema schema = TestSchema.in(PostgresServer.sharedUrl());
    private final RedisServer redis = RedisServer.start();
    private @Nullable Keuss keuss;

    /** Makes the schema, because keuss creates the table of dead letters as soon as it starts. */
    PostgresPlace() {
        super("postgres");
        sql("CREATE SCHEMA " + schema.name());
    }

    @Override
    String url() {
        return "keuss-postgres:" + schema.jdbcUrl() + "&jono.schema=" + schema.name() + "&jono.tables=" + schema.name();
    }

    @Override
    QueueFactoryBuilder with(QueueFactoryBuilder builder) {
        return builder.signaller("redis-pubsub:" + redis.uri()).stats("redis:" + redis.uri());
    }

    /** keuss creates and finds its tables in the first schema of the search path. */
    @Override
    Map<String, ?> where() {
        URI url = URI.create(schema.jdbcUrl().substring("jdbc:".length()));
        Map<String, Object> postgres = new HashMap<>();
        for (String option : url.getQuery().split("&", -1)) {
            postgres.put(option.substring(0, option.indexOf('=')), option.substring(option.indexOf('=') + 1));
        }
        postgres.put("host", url.getHost());
        postgres.put("port", url.getPort());
        postgres.put("database", url.getPath().substring(1));
        postgres.put("options", "-c search_path=" + schema.name());
        return Map.of("postgres", postgres, "port", redis.port());
    }

    @Override
    Keuss keuss() {
        Keuss started = Keuss.start();
        keuss = started;
        return started;
    }

    @Override
    void awaitListening(String queue, int clients) {
        Awaitility.await("listeners to " + queue)
                .pollInterval(Duration.ofMillis(10))
                .atMost(KeussCase.LONG)
                .until(() -> redis.callForList("PUBSUB", "NUMSUB", "keuss:signal:" + KeussCase.NAMESPACE + ":" + queue)
                        .get(1)
                        .equals((long) clients));
    }

    /** Runs a statement in the schema; returns the columns of its rows as texts. */
    List<List<@Nullable String>> sql(String statement) {
        try (Connection connection = DriverManager.getConnection(schema.jdbcUrl());
                Statement use = connection.createStatement()) {
            use.execute("SET search_path = " + schema.name());
            List<List<@Nullable String>> found = new ArrayList<>();
            if (use.execute(statement)) {
                ResultSet rows = use.getResultSet();
                while (rows.next()) {
                    List<@Nullable String> row = new ArrayList<>();
                    for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                        row.add(rows.getString(i));
                    }
                    found.add(row);
                }
            }
            return found;
        } catch (SQLException e) {
            throw new IllegalStateException(statement, e);
        }
    }

    @Override
    void close() {
        if (keuss != null) {
            keuss.close();
        }
        redis.close();
        schema.close();
    }
}
