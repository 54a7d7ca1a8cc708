package dev.jono.backend.sqlite;

import static dev.jono.backend.sqlite.Fixture.ask;
import static dev.jono.backend.sqlite.Fixture.got;
import static dev.jono.backend.sqlite.Fixture.open;
import static dev.jono.backend.sqlite.Fixture.queue;
import static dev.jono.backend.sqlite.Fixture.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.StorageException;
import dev.jono.spi.Backend;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.CountsResult;
import dev.jono.spi.QueueStore;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file of schema version 1 is upgraded when it is opened, and loses nothing. */
class UpgradeTest {
    /** What version 1 created. */
    private static final List<String> VERSION_1 = List.of(
            "CREATE TABLE meta(key TEXT PRIMARY KEY NOT NULL, value NOT NULL) WITHOUT ROWID",
            "CREATE TABLE queue(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
            "CREATE TABLE message(id INTEGER PRIMARY KEY AUTOINCREMENT, queue INTEGER NOT NULL, due INTEGER NOT NULL,"
                    + " lease INTEGER NOT NULL, claim INTEGER NOT NULL, tries INTEGER NOT NULL, kind INTEGER NOT NULL,"
                    + " pushed INTEGER NOT NULL, xid TEXT, headers TEXT, payload BLOB NOT NULL)",
            "CREATE INDEX message_ready ON message(queue, due) WHERE claim<0",
            "CREATE INDEX message_held ON message(queue, lease) WHERE claim>0",
            "CREATE UNIQUE INDEX message_xid ON message(queue, xid) WHERE xid IS NOT NULL",
            "CREATE TABLE history(id INTEGER PRIMARY KEY, queue INTEGER NOT NULL, done INTEGER NOT NULL,"
                    + " until INTEGER NOT NULL, xid TEXT, kind INTEGER NOT NULL, tries INTEGER NOT NULL,"
                    + " due INTEGER NOT NULL, pushed INTEGER NOT NULL, headers TEXT, payload BLOB NOT NULL)",
            "CREATE INDEX history_queue ON history(queue, done, until)",
            "CREATE INDEX history_until ON history(until)",
            "CREATE TABLE stat(namespace TEXT NOT NULL, queue TEXT NOT NULL, counter TEXT NOT NULL,"
                    + " value INTEGER NOT NULL, PRIMARY KEY(namespace, queue, counter)) WITHOUT ROWID",
            "CREATE TABLE paused(namespace TEXT NOT NULL, queue TEXT NOT NULL,"
                    + " PRIMARY KEY(namespace, queue)) WITHOUT ROWID",
            "INSERT INTO meta(key, value) VALUES('schema', 1), ('clock', 0)",
            "PRAGMA application_id=" + 0x4A6F6E6F,
            "PRAGMA user_version=1",
            "PRAGMA journal_mode=WAL");

    private static final long BASE = 7L << 32;
    private static final long UNCLAIMED = -(1L << 62);
    private static final long HELD_CLAIM = 123_456_789;
    private static final long YEAR_2096 = 4_000_000_000_000L;
    private static final String FOREIGN_ID = "0123456789abcdef01234567";

    private static final String SCHEMA = "SELECT group_concat(name || ': ' || sql, char(10))"
            + " FROM (SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name)";

    @TempDir
    Path directory;

    private Path file;

    /** Creates the file: a queue with four free messages, a held one and history, and a queue without messages. */
    @BeforeEach
    void createVersion1() throws Exception {
        file = directory.toRealPath().resolve("queues.db");
        try (SqliteConnection connection = SqliteConnection.create(file)) {
            for (String statement : VERSION_1) {
                connection.executeOnce(statement);
            }
            connection.executeOnce("INSERT INTO queue(id, name) VALUES(1, 'orders'), (2, 'payments')");
            connection.executeOnce(
                    "INSERT INTO message(id, xid, payload, due, lease, claim, tries, queue, kind, pushed) VALUES"
                            + row(1, "NULL", "a", free(2000, 0))
                            + ", " + row(2, "NULL", "held", "2000, " + YEAR_2096 + ", " + HELD_CLAIM + ", 1")
                            + ", " + row(3, "NULL", "b", free(2000, 3))
                            + ", " + row(4, "'" + FOREIGN_ID + "'", "foreign", free(2000, 0))
                            + ", " + row(5, "NULL", "early", free(1000, 0)));
            connection.executeOnce("INSERT INTO history(id, queue, done, until, kind, tries, due, pushed, payload)"
                    + " VALUES(" + id(6) + ", 1, 2000, " + YEAR_2096 + ", 2, 1, 1000, 1000, CAST('done' AS BLOB))");
        }
    }

    private static String row(int n, String xid, String text, String state) {
        return "(" + id(n) + ", " + xid + ", CAST('" + text + "' AS BLOB), " + state + ", 1, 2, 1000)";
    }

    /** Due time, end of lease, claim and tries of a message without a reservation. */
    private static String free(long due, int tries) {
        return due + ", " + due + ", " + UNCLAIMED + ", " + tries;
    }

    private static String id(int n) {
        return Long.toString(BASE + n);
    }

    @Test
    void upgradedFileHasTheTablesOfANewOne() throws Exception {
        open(file).close();
        Path fresh = directory.resolve("new.db");
        open(fresh).close();
        assertThat(ask(file, SCHEMA)).contains("unique_key").isEqualTo(ask(fresh, SCHEMA));
        assertThat(ask(file, "PRAGMA user_version")).isEqualTo("2");
        assertThat(ask(file, "SELECT value FROM meta WHERE key='schema'")).isEqualTo("2");
    }

    @Test
    void messagesKeepTheirIdsOrderAndTries() {
        for (int opened = 0; opened < 2; opened++) {
            try (Backend backend = open(file)) {
                CountsResult counts = Fixture.counts(queue(backend, "orders"));
                assertThat(counts.ready()).isEqualTo(4);
                assertThat(counts.reserved()).isEqualTo(1);
                assertThat(counts.blocked()).isZero();
                assertThat(backend.queues().toCompletableFuture().join()).containsExactly("orders", "payments");
            }
        }
        try (Backend backend = open(file)) {
            List<StoredMessage> messages = Fixture.claim(queue(backend, "orders"), 10);
            assertThat(texts(messages)).containsExactly("early", "a", "b", "foreign");
            assertThat(messages).extracting(StoredMessage::id).containsExactly(id(5), id(1), id(3), FOREIGN_ID);
            assertThat(messages).extracting(StoredMessage::tries).containsExactly(0, 0, 3, 0);
        }
    }

    @Test
    void holderOfAMessageCanSettleIt() {
        try (Backend backend = open(file)) {
            QueueStore orders = queue(backend, "orders");
            assertThat(Fixture.ack(orders, List.of(Ids.receipt(BASE + 2, null, HELD_CLAIM))))
                    .containsExactly(Outcome.DONE);
            assertThat(Fixture.counts(orders).reserved()).isZero();
        }
    }

    @Test
    void historyIsKept() {
        try (Backend backend = open(file)) {
            BrowseRequest request =
                    BrowseRequest.builder().view(BrowseRequest.View.HISTORY).build();
            List<StoredMessage> history =
                    got(queue(backend, "orders").browse(request)).messages();
            assertThat(texts(history)).containsExactly("done");
            assertThat(history).extracting(StoredMessage::id).containsExactly(id(6));
        }
    }

    @Test
    void queueWithoutMessagesCanBecomeKeyed() throws Exception {
        QueueOptions keyed = QueueOptions.builder().keyed().build();
        try (QueueFactory jono = QueueFactory.connect("sqlite:" + file)) {
            for (String name : List.of("payments", "new")) {
                MessageQueue<String> queue = jono.queue(name, Codec.string(), keyed);
                queue.push("k1", PushOptions.none().key("k"));
                queue.push("k2", PushOptions.none().key("k"));
                Reservation<String> first = queue.reserve(Duration.ZERO).orElseThrow();
                assertThat(first.payload()).isEqualTo("k1");
                assertThat(queue.reserve(Duration.ZERO)).isEmpty();
                first.ack();
                Reservation<String> second = queue.reserve(Duration.ZERO).orElseThrow();
                assertThat(second.payload()).isEqualTo("k2");
                second.ack();
            }
            assertThatThrownBy(() -> jono.queue("orders", Codec.string(), keyed).reserve(Duration.ZERO))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContainingAll("orders", "not keyed");
        }
    }

    @Test
    void uniqueKeysAreRemembered() {
        PushOptions unique = PushOptions.none().unique("k", Duration.ofMinutes(10));
        String id;
        try (QueueFactory jono = QueueFactory.connect("sqlite:" + file)) {
            id = jono.queue("orders", Codec.string()).push("first", unique).id();
        }
        assertThat(Long.parseLong(id)).isGreaterThan(BASE + 5);
        try (QueueFactory jono = QueueFactory.connect("sqlite:" + file)) {
            assertThat(jono.queue("orders", Codec.string()).push("second", unique))
                    .satisfies(result -> assertThat(result.duplicate()).isTrue())
                    .satisfies(result -> assertThat(result.id()).isEqualTo(id));
        }
    }
}
