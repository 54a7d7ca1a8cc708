package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.jono.Message;
import dev.jono.QueueFactory;
import dev.jono.StorageException;
import dev.jono.spring.jdbc.JonoJdbcAutoConfiguration;
import dev.jono.spring.redis.JonoRedisAutoConfiguration;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.RedisServer;
import dev.jono.testkit.server.TestSchema;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.sqlite.JDBC;

/** Without {@code jono.url}, queues are in the database of the application's data source, if it is one of PostgreSQL. */
class DataSourceOfApplicationTest {
    private static final String REFUSED = "jdbc:postgresql://127.0.0.1:1/shop?user=shop";

    private final HikariDataSource pool = new HikariDataSource();

    @AfterEach
    void close() {
        pool.close();
    }

    private HikariDataSource pool(String url) {
        pool.setJdbcUrl(url);
        pool.setConnectionTimeout(Duration.ofSeconds(1).toMillis());
        return pool;
    }

    private static DataSource ofSqlite() {
        return new SimpleDriverDataSource(new JDBC(), "jdbc:sqlite::memory:");
    }

    private static DataSource unreachable() {
        return new SimpleDriverDataSource(new org.postgresql.Driver(), REFUSED);
    }

    private static ApplicationContextRunner with(DataSource dataSource) {
        return Contexts.empty()
                .withConfiguration(AutoConfigurations.of(JonoJdbcAutoConfiguration.class))
                .withBean(DataSource.class, () -> dataSource);
    }

    private static ApplicationContextRunner withRedisAnd(DataSource dataSource) {
        return with(dataSource)
                .withConfiguration(
                        AutoConfigurations.of(DataRedisAutoConfiguration.class, JonoRedisAutoConfiguration.class))
                .withPropertyValues("spring.data.redis.url=" + RedisServer.sharedUri());
    }

    private static void assertUses(String backend, ApplicationContextRunner application) {
        application.run(context ->
                assertThat(context.getBean(QueueFactory.class).backend()).isEqualTo(backend));
    }

    private static void assertFails(ApplicationContextRunner application, String... messages) {
        application.run(context ->
                assertThat(context).getFailure().rootCause().message().contains(messages));
    }

    @Test
    void aPoolOfAnotherDatabaseIsRefusedWithoutAConnection() {
        assertFails(
                with(pool("jdbc:h2:mem:shop")),
                "jono.url is not set",
                "the DataSource of the application is of h2, not of PostgreSQL");
        assertThat(pool.getHikariPoolMXBean()).as("started").isNull();
    }

    @Test
    void theDriverSaysWhichDatabaseItIs() {
        assertFails(with(ofSqlite()), "the DataSource of the application is of SQLite, not of PostgreSQL");
    }

    @Test
    void aBackendThatTheDatabaseDoesNotFitIsNamed() {
        assertFails(
                with(ofSqlite()).withPropertyValues("jono.backend=postgres"),
                "jono.backend is 'postgres', and the application has no connection for it:"
                        + " the DataSource of the application is of SQLite");
    }

    /** Otherwise the queues would be in Redis whenever the database is down. */
    @Test
    void aDatabaseThatIsNotKnownFailsTheStart() {
        withRedisAnd(unreachable())
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining(StorageException.class.getName())
                        .hasStackTraceContaining("set jono.url or jono.backend"));
    }

    @Test
    void redisIsUsedNextToAnotherDatabase() {
        assertUses("redis-oq", withRedisAnd(pool("jdbc:mysql://localhost/shop")));
        assertThat(pool.getHikariPoolMXBean()).as("started").isNull();
    }

    @Test
    void aDataSourceIsNotAskedIfTheBackendIsChosen() {
        assertUses("redis-oq", withRedisAnd(unreachable()).withPropertyValues("jono.backend=redis-oq"));
    }

    @Test
    void ofRedisAndPostgresqlOneMustBeChosen() {
        assertFails(
                withRedisAnd(pool(REFUSED)),
                "several connections that Jono can use",
                "jono.backend=postgres",
                "jono.backend=redis-oq");
        assertThat(pool.getHikariPoolMXBean()).as("started").isNull();
    }

    @Test
    void aPoolOfPostgresqlHoldsTheQueues() {
        try (TestSchema schema = TestSchema.in(PostgresServer.sharedUrl())) {
            DataSource proxy = new LazyConnectionDataSourceProxy(pool(schema.jdbcUrl()));
            withRedisAnd(proxy)
                    .withPropertyValues("jono.backend=postgres", "jono.options.schema=" + schema.name())
                    .run(context -> {
                        QueueFactory jono = context.getBean(QueueFactory.class);
                        assertThat(jono.backend()).isEqualTo("postgres");
                        jono.queue("orders", String.class).push("a");
                        assertThat(jono.queue("orders", String.class).pop(Duration.ZERO))
                                .get()
                                .extracting(Message::payload)
                                .isEqualTo("a");
                    });
        }
    }
}
