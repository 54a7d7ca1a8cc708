package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushResult;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.spring.jdbc.JonoJdbcAutoConfiguration;
import dev.jono.spring.mongo.JonoMongoAutoConfiguration;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import javax.sql.DataSource;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.sqlite.JDBC;

/** Pushes and jobs in a transaction on the storage of the queues. */
class JoinedTransactionsTest {
    private static final JobType<String, Void> INVOICE = JobType.of("invoice", String.class);
    private static final Duration LONG = Duration.ofMinutes(10);

    @TempDir
    Path folder;

    private final String own = "jono_test_" + UUID.randomUUID().toString().substring(0, 13);

    private ApplicationContextRunner sqlite() {
        String file = "jdbc:sqlite:" + folder.resolve("shop.db");
        DataSource database = new SimpleDriverDataSource(new JDBC(), file);
        return Contexts.empty()
                .withConfiguration(AutoConfigurations.of(JonoJdbcAutoConfiguration.class))
                .withPropertyValues("jono.url=sqlite:" + folder.resolve("shop.db"), "jono.queue.poll-interval=10m")
                .withBean(TransactionsTest.Checkout.class)
                .withBean(DataSource.class, () -> database)
                .withBean(PlatformTransactionManager.class, () -> new JdbcTransactionManager(database));
    }

    private ApplicationContextRunner mongo() {
        return Contexts.empty()
                .withConfiguration(AutoConfigurations.of(
                        MongoAutoConfiguration.class,
                        DataMongoAutoConfiguration.class,
                        JonoMongoAutoConfiguration.class))
                .withPropertyValues(
                        "spring.mongodb.uri=" + MongoReplicaSet.sharedUri(own), "jono.queue.poll-interval=10m")
                .withBean(TransactionsTest.Checkout.class)
                .withUserConfiguration(MongoTransactions.class);
    }

    @Configuration(proxyBeanMethods = false)
    static class MongoTransactions {
        @Bean
        PlatformTransactionManager transactions(MongoDatabaseFactory database) {
            return new MongoTransactionManager(database);
        }
    }

    @Test
    void mongoStoresDataAndMessageTogether() {
        mongo().run(context -> {
            MongoTemplate mongo = context.getBean(MongoTemplate.class);
            mongo.createCollection("shop");
            try {
                assertTogether(
                        context,
                        () -> mongo.insert(new Document("name", "a"), "shop"),
                        () -> mongo.findAll(Document.class, "shop").size());
            } finally {
                context.getBean(MongoClient.class).getDatabase(own).drop();
            }
        });
    }

    @Test
    void sqliteStoresDataAndMessageTogether() {
        sqlite().run(context -> {
            JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
            jdbc.execute("create table shop (name text)");
            assertTogether(
                    context,
                    () -> jdbc.update("insert into shop values ('a')"),
                    () -> jdbc.queryForList("select name from shop").size());
        });
    }

    /** The application's pool, or one of Jono's own. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void postgresStoresDataAndMessageTogether(boolean ownPool) {
        try (TestSchema schema = TestSchema.in(PostgresServer.sharedUrl())) {
            SimpleDriverDataSource database = new SimpleDriverDataSource(new org.postgresql.Driver(), schema.jdbcUrl());
            ApplicationContextRunner application = Contexts.empty()
                    .withConfiguration(AutoConfigurations.of(JonoJdbcAutoConfiguration.class))
                    .withPropertyValues("jono.queue.poll-interval=10m")
                    .withBean(TransactionsTest.Checkout.class)
                    .withBean(DataSource.class, () -> database)
                    .withBean(PlatformTransactionManager.class, () -> new JdbcTransactionManager(database));
            (ownPool
                            ? application.withPropertyValues("jono.url=" + schema.jonoUrl())
                            : application.withPropertyValues("jono.options.schema=" + schema.name()))
                    .run(context -> {
                        JdbcTemplate jdbc = new JdbcTemplate(database);
                        String table = schema.name() + ".shop";
                        context.getBean(QueueFactory.class); // creates the schema
                        jdbc.execute("create table " + table + " (name text)");
                        assertTogether(
                                context,
                                () -> jdbc.update("insert into " + table + " values ('a')"),
                                () -> jdbc.queryForList("select name from " + table)
                                        .size());
                    });
        }
    }

    /** The queues are in a SQLite file, and the data in PostgreSQL. */
    @Test
    void aTransactionOnAnotherKindOfDatabaseIsNotDisturbed() {
        try (TestSchema schema = TestSchema.in(PostgresServer.sharedUrl())) {
            SimpleDriverDataSource database = new SimpleDriverDataSource(new org.postgresql.Driver(), schema.jdbcUrl());
            JdbcTemplate jdbc = new JdbcTemplate(database);
            jdbc.execute("create schema " + schema.name());
            String table = schema.name() + ".shop";
            jdbc.execute("create table " + table + " (name text)");
            Contexts.empty()
                    .withConfiguration(AutoConfigurations.of(JonoJdbcAutoConfiguration.class))
                    .withPropertyValues("jono.url=sqlite:" + folder.resolve("queues.db"))
                    .withBean(TransactionsTest.Checkout.class)
                    .withBean(DataSource.class, () -> database)
                    .withBean(PlatformTransactionManager.class, () -> new JdbcTransactionManager(database))
                    .run(context -> {
                        MessageQueue<String> orders = context.getBean(TransactionsTest.Checkout.class).orders;
                        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                                .executeWithoutResult(status -> {
                                    jdbc.update("insert into " + table + " values ('a')");
                                    assertThat(orders.push("a").isDeferred()).isTrue();
                                    jdbc.update("insert into " + table + " values ('b')");
                                });
                        assertThat(jdbc.queryForList("select name from " + table))
                                .hasSize(2);
                        assertThat(orders.pop(10, Duration.ZERO))
                                .extracting(Message::payload)
                                .containsExactly("a");
                    });
        }
    }

    /**
     * Pushes in a transaction that is rolled back, and in one that commits.
     *
     * @param store stores a row of the application
     * @param rows counts the rows
     */
    private static void assertTogether(AssertableApplicationContext context, Runnable store, IntSupplier rows)
            throws Exception {
        MessageQueue<String> orders = context.getBean(TransactionsTest.Checkout.class).orders;
        Jobs jobs = context.getBean(Jobs.class);
        TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

        transaction.executeWithoutResult(status -> {
            store.run();
            assertThat(orders.push("undone").isDeferred()).isFalse();
            jobs.enqueue(INVOICE, "undone");
            status.setRollbackOnly();
        });
        assertThat(rows.getAsInt()).isZero();
        assertThat(orders.totalSize()).isZero();
        assertThat(jobs.counts(INVOICE.name()).values()).allMatch(count -> count == 0);

        CompletableFuture<Optional<Reservation<String>>> waiting = orders.reserveAsync(LONG);
        JobHandle<Void> job = transaction.execute(status -> {
            store.run();
            PushResult pushed = orders.push("a");
            assertThat(pushed.id()).isNotEmpty();
            List<PushResult> more = orders.pushAll(List.of("b", "c"));
            assertThat(more).hasSize(2).noneMatch(PushResult::isDeferred);
            assertThat(orders.pushAsync("d")).isCompletedWithValueMatching(last -> !last.isDeferred());
            return jobs.enqueue(INVOICE, "17");
        });
        Reservation<String> first = waiting.get(10, TimeUnit.SECONDS).orElseThrow();
        assertThat(first.payload()).isEqualTo("a");
        first.ack();
        assertThat(orders.pop(10, Duration.ZERO)).extracting(Message::payload).containsExactly("b", "c", "d");
        assertThat(rows.getAsInt()).isOne();
        assertThat(job.view()).isPresent();
    }
}
