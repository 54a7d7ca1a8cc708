package dev.jono.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Codec;
import dev.jono.EncodingException;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.StorageException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** An outbox in each kind of database, with queues in memory. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class OutboxTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    private final TestDatabase database;

    private final String queues = "memory:" + UUID.randomUUID();

    @TempDir
    Path folder;

    private TestDatabase.Opened opened;
    private QueueFactory jono;
    private Outbox outbox;

    OutboxTest(TestDatabase database) {
        this.database = database;
    }

    @BeforeEach
    void open() throws SQLException {
        opened = database.open(folder);
        jono = QueueFactory.builder(queues)
                .queueOptions("keyed", QueueOptions.builder().keyed().build())
                .queueOptions(
                        "small", QueueOptions.builder().maxPayloadBytes(10).build())
                .connect();
        outbox = start();
        execute("create table orders (name varchar(20))");
    }

    @AfterEach
    void close() {
        outbox.close();
        jono.close();
        opened.close();
    }

    private Outbox start() {
        return Outbox.on(opened, jono).pollInterval(Duration.ofMillis(20)).start();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = opened.getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    private interface Step {
        void on(Connection connection) throws SQLException;
    }

    private void commit(Step step) throws SQLException {
        try (Connection connection = opened.getConnection()) {
            connection.setAutoCommit(false);
            step.on(connection);
            connection.commit();
        }
    }

    private static List<String> take(MessageQueue<String> queue, int count) throws InterruptedException {
        List<String> all = new ArrayList<>();
        while (all.size() < count) {
            Optional<Message<String>> next = queue.pop(SOON);
            assertThat(next).as("after " + all).isPresent();
            all.add(next.orElseThrow().payload());
        }
        return all;
    }

    private void awaitEmpty() {
        Awaitility.await().atMost(SOON).until(() -> outbox.waiting() == 0);
    }

    @Test
    void messageReachesItsQueueAfterTheCommit() throws Exception {
        OutboxQueue<String> mails = outbox.queue("mails", String.class);
        MessageQueue<String> queue = jono.queue("mails", String.class);
        try (Connection connection = opened.getConnection()) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("insert into orders values ('a')");
            }
            mails.push(
                    connection,
                    "a",
                    PushOptions.none()
                            .header("tenant", "acme")
                            .header("n", 7)
                            .header("rate", 0.5)
                            .header("whole", 2.0)
                            .header("urgent", true)
                            .tries(2));
            connection.commit();
        }
        outbox.committed();
        try (Reservation<String> mail = queue.reserve(SOON).orElseThrow()) {
            assertThat(mail.payload()).isEqualTo("a");
            assertThat(mail.headers().string("tenant")).isEqualTo("acme");
            assertThat(mail.headers().get("n")).isEqualTo(7L);
            assertThat(mail.headers().get("rate")).isEqualTo(0.5);
            assertThat(mail.headers().get("whole")).isEqualTo(2.0);
            assertThat(mail.headers().get("urgent")).isEqualTo(true);
            assertThat(mail.tries()).isEqualTo(2);
            mail.ack();
        }
        awaitEmpty();
    }

    @Test
    void rollbackLeavesNothing() throws Exception {
        OutboxQueue<String> mails = outbox.queue("mails", String.class);
        try (Connection connection = opened.getConnection()) {
            connection.setAutoCommit(false);
            mails.push(connection, "undone");
            connection.rollback();
        }
        commit(connection -> mails.push(connection, "done"));
        assertThat(take(jono.queue("mails", String.class), 1)).containsExactly("done");
        awaitEmpty();
        assertThat(jono.queue("mails", String.class).totalSize()).isZero();
    }

    @Test
    void autocommitIsRefused() throws Exception {
        OutboxQueue<String> mails = outbox.queue("mails", String.class);
        try (Connection connection = opened.getConnection()) {
            assertThatThrownBy(() -> mails.push(connection, "no transaction"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("'mails'", "autocommit", "setAutoCommit(false)");
        }
        commit(connection -> mails.push(connection, "done"));
        assertThat(take(jono.queue("mails", String.class), 1)).containsExactly("done");
        awaitEmpty();
        assertThat(jono.queue("mails", String.class).totalSize()).isZero();
    }

    @Test
    void dueTimeUniqueKeyAndOrderAreKept() throws Exception {
        OutboxQueue<String> mails = outbox.queue("mails", String.class);
        MessageQueue<String> queue = jono.queue("mails", String.class);
        commit(connection -> {
            mails.push(connection, "later", PushOptions.delay(Duration.ofHours(1)));
            mails.push(connection, "a", PushOptions.none().unique("order-7", Duration.ofHours(1)));
            mails.push(connection, "b", PushOptions.none().unique("order-7", Duration.ofHours(1)));
            mails.push(connection, "c");
        });
        assertThat(take(queue, 2)).containsExactly("a", "c");
        awaitEmpty();
        assertThat(queue.counts().scheduled()).isOne();
        assertThat(queue.totalSize()).isOne();
    }

    @Test
    void aKeyKeepsTheOrderOfItsCommits() throws Exception {
        OutboxQueue<String> keyed = outbox.queue("keyed", String.class);
        MessageQueue<String> queue = jono.queue("keyed", String.class);
        PushOptions key = PushOptions.none().key("account-1");
        CompletableFuture<Void> second;
        try (Connection connection = opened.getConnection()) {
            connection.setAutoCommit(false);
            keyed.push(connection, "1", key);
            second = CompletableFuture.runAsync(() -> {
                try {
                    commit(other -> keyed.push(other, "2", key));
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
            keyed.push(connection, "1b", key);
            connection.commit();
        }
        second.join();
        commit(connection -> {
            for (int i = 3; i <= 50; i++) {
                keyed.push(connection, Integer.toString(i), key);
            }
        });
        for (String expected : List.of("1", "1b", "2", "3")) {
            try (Reservation<String> next = queue.reserve(SOON).orElseThrow()) {
                assertThat(next.payload()).isEqualTo(expected);
                next.ack();
            }
        }
        assertThat(take(queue, 47)).startsWith("4").endsWith("50");
    }

    @Test
    void messageThatNoQueueTakesStaysAndHoldsUpNobody() throws Exception {
        OutboxQueue<String> small = outbox.queue("small", Codec.string());
        MessageQueue<String> queue = jono.queue("small", Codec.string());
        commit(connection -> {
            small.push(connection, "much too large");
            small.push(connection, "fits");
        });
        assertThat(take(queue, 1)).containsExactly("fits");
        Awaitility.await().atMost(SOON).until(() -> outbox.refused() == 1);
        assertThat(outbox.waiting()).isZero();
        assertThat(outbox.retryRefused()).isOne();
        Awaitility.await().atMost(SOON).until(() -> outbox.refused() == 1);
    }

    @Test
    void brokenQueueHoldsUpNoOther() throws Exception {
        OutboxQueue<String> broken = outbox.queue("keyed", String.class);
        OutboxQueue<String> mails = outbox.queue("mails", String.class);
        try (QueueFactory other = QueueFactory.connect(queues)) {
            // Until it is empty, the queue is not keyed and refuses the relay.
            MessageQueue<String> notKeyed = other.queue("keyed", String.class);
            notKeyed.push("in the way");
            int more = 550;
            commit(connection -> {
                for (int i = 0; i < more; i++) {
                    broken.push(connection, "b" + i, PushOptions.none().key("account-" + i % 2));
                }
                mails.push(connection, "behind");
            });
            assertThat(take(jono.queue("mails", String.class), 1)).containsExactly("behind");
            Awaitility.await().atMost(SOON).until(() -> outbox.waiting() == more);
            assertThat(take(notKeyed, 1)).containsExactly("in the way");

            awaitEmpty();
            List<String> even = new ArrayList<>();
            for (String payload : take(jono.queue("keyed", String.class), more)) {
                if (Integer.parseInt(payload.substring(1)) % 2 == 0) {
                    even.add(payload);
                }
            }
            assertThat(even)
                    .containsExactlyElementsOf(IntStream.range(0, more / 2)
                            .mapToObj(i -> "b" + 2 * i)
                            .toList());
            assertThat(outbox.refused()).isZero();
        }
    }

    @Test
    void repeatedRelayStoresNothingTwice() throws Exception {
        OutboxQueue<String> mails = outbox.queue("mails", String.class);
        MessageQueue<String> queue = jono.queue("mails", String.class);
        opened.failNext("delete", 3);
        commit(connection -> {
            mails.push(connection, "a");
            mails.push(connection, "b");
        });
        assertThat(take(queue, 2)).containsExactly("a", "b");
        awaitEmpty();
        assertThat(opened.failures()).isEqualTo(3);
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void anotherProcessTakesOver() throws Exception {
        OutboxQueue<String> mails = outbox.queue("mails", String.class);
        MessageQueue<String> queue = jono.queue("mails", String.class);
        Outbox other = start();
        commit(connection -> mails.push(connection, "first"));
        assertThat(take(queue, 1)).containsExactly("first");
        awaitEmpty();
        outbox.close();
        commit(connection -> mails.push(connection, "second"));
        assertThat(take(queue, 1)).containsExactly("second");
        other.close();
    }

    @Test
    void mistakesAreToldAtThePush() throws Exception {
        assertThatThrownBy(() -> outbox.queue("no spaces", String.class)).isInstanceOf(IllegalArgumentException.class);
        OutboxQueue<Object> broken = outbox.queue("mails", new Codec<>() {
            @Override
            public dev.jono.EncodedPayload encode(Object payload, dev.jono.Headers headers) {
                throw new IllegalStateException("a test's");
            }

            @Override
            public Object decode(dev.jono.EncodedPayload payload, dev.jono.Headers headers) {
                return payload;
            }
        });
        try (Connection connection = opened.getConnection()) {
            assertThatThrownBy(() -> broken.push(connection, "a"))
                    .isInstanceOf(EncodingException.class)
                    .hasMessageContainingAll("'mails'", "a test's");
            execute("drop table jono_outbox");
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> outbox.queue("mails", String.class).push(connection, "a"))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContainingAll("'mails'", "jono_outbox");
        }
    }

    @Test
    void schemaCanBeRunByHand() throws Exception {
        OutboxBuilder byHand = Outbox.on(opened, jono).table("own").create(false);
        for (String statement : byHand.schema().split(";\n", -1)) {
            if (!statement.isBlank()) {
                execute(statement);
            }
        }
        try (Outbox own = byHand.start()) {
            commit(connection -> own.queue("mails", String.class).push(connection, "a"));
            assertThat(take(jono.queue("mails", String.class), 1)).containsExactly("a");
        }
        assertThatThrownBy(() -> byHand.table("a b")).isInstanceOf(IllegalArgumentException.class);
    }
}
