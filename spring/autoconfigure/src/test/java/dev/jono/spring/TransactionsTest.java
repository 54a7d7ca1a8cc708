package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.PushResult;
import dev.jono.QueueClosedException;
import dev.jono.QueueFactory;
import dev.jono.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import org.sqlite.JDBC;

/** Pushes in transactions of a database: of SQLite, by Spring's JDBC. */
class TransactionsTest {
    @TempDir
    Path folder;

    static class Checkout {
        final MessageQueue<String> orders;

        Checkout(@JonoQueue("orders") MessageQueue<String> orders) {
            this.orders = orders;
        }
    }

    private ApplicationContextRunner context() {
        DataSource database = new SimpleDriverDataSource(new JDBC(), "jdbc:sqlite:" + folder.resolve("shop.db"));
        new JdbcTemplate(database).execute("create table orders (name text)");
        return Contexts.inMemory()
                .withBean(Checkout.class)
                .withBean(DataSource.class, () -> database)
                .withBean(PlatformTransactionManager.class, () -> new JdbcTransactionManager(database));
    }

    private static void insert(AssertableApplicationContext context, String name) {
        new JdbcTemplate(context.getBean(DataSource.class)).update("insert into orders values (?)", name);
    }

    private static int rows(AssertableApplicationContext context) {
        return new JdbcTemplate(context.getBean(DataSource.class))
                .queryForList("select name from orders", String.class)
                .size();
    }

    private static MessageQueue<String> injected(AssertableApplicationContext context) {
        return context.getBean(Checkout.class).orders;
    }

    private static TransactionTemplate transaction(AssertableApplicationContext context) {
        return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    }

    @Test
    void pushesWaitForTheCommit() {
        context().run(context -> {
            MessageQueue<String> orders = injected(context);
            transaction(context).executeWithoutResult(status -> {
                insert(context, "a");
                PushResult first = orders.push("a");
                List<PushResult> more = orders.pushAll(List.of("b", "c"), PushOptions.none());
                CompletableFuture<PushResult> last = orders.pushAsync("d");

                assertThat(first.isDeferred()).isTrue();
                assertThat(more).hasSize(2).allMatch(PushResult::isDeferred);
                assertThat(last).isCompletedWithValueMatching(PushResult::isDeferred);
                Assertions.assertThatThrownBy(first::id).isInstanceOf(IllegalStateException.class);
                assertThat(orders.totalSize()).isZero();
            });
            assertThat(orders.pop(10, Duration.ZERO))
                    .extracting(dev.jono.Message::payload)
                    .containsExactly("a", "b", "c", "d");
        });
    }

    @Test
    void aRollbackDropsThem() {
        context().run(context -> {
            MessageQueue<String> orders = injected(context);
            transaction(context).executeWithoutResult(status -> {
                insert(context, "a");
                orders.push("a");
                status.setRollbackOnly();
            });
            assertThat(rows(context)).isZero();
            assertThat(orders.totalSize()).isZero();
        });
    }

    @Test
    void anInnerTransactionIsOnItsOwn() {
        context().run(context -> {
            MessageQueue<String> orders = injected(context);
            TransactionTemplate inner = transaction(context);
            inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);
            transaction(context).executeWithoutResult(status -> {
                orders.push("after the commit");
                inner.executeWithoutResult(none -> orders.push("at once"));
                assertThat(orders.totalSize()).isOne();
                status.setRollbackOnly();
            });
            assertThat(orders.totalSize()).isOne();
        });
    }

    @Test
    void withoutTransactionAPushIsSentAtOnce() {
        context().run(context -> assertThat(injected(context).push("a").id()).isNotEmpty());
    }

    @Test
    void aFailureReachesTheCallerThatHasCommitted() {
        context().run(context -> {
            MessageQueue<String> orders = injected(context);
            Assertions.assertThatThrownBy(() -> transaction(context).executeWithoutResult(status -> {
                        orders.push("a");
                        insert(context, "a");
                        context.getBean(QueueFactory.class).close();
                    }))
                    .isInstanceOf(QueueClosedException.class);
            assertThat(rows(context)).as("committed").isOne();
        });
    }

    @Test
    void itCanBeSwitchedOff() {
        context().withPropertyValues("jono.transaction=none").run(context -> {
            MessageQueue<String> orders = injected(context);
            transaction(context).executeWithoutResult(status -> {
                assertThat(orders.push("a").isDeferred()).isFalse();
                status.setRollbackOnly();
            });
            assertThat(orders.totalSize()).isOne();
        });
    }

    @Test
    void anInjectedQueueCanHaveAWorker() {
        context().run(context -> {
            MessageQueue<String> orders = injected(context);
            orders.push("a");
            CompletableFuture<String> handled = new CompletableFuture<>();
            try (Worker worker = context.getBean(QueueFactory.class)
                    .worker()
                    .from(orders, (order, delivery) -> handled.complete(order))
                    .start()) {
                assertThat(handled).succeedsWithin(Contexts.SOON).isEqualTo("a");
                assertThat(worker.status().failed()).isZero();
            }
        });
    }
}
