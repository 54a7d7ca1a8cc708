package dev.jono.backend.sqlite;

import static dev.jono.backend.sqlite.Fixture.ask;
import static dev.jono.backend.sqlite.Fixture.open;
import static dev.jono.backend.sqlite.Fixture.queue;
import static dev.jono.backend.sqlite.Fixture.sql;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Backoff;
import dev.jono.Codec;
import dev.jono.ConfigurationException;
import dev.jono.DeadLetter;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.JonoClock;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.OutcomeUnknownException;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.StorageException;
import dev.jono.UndecodableException;
import dev.jono.spi.Backend;
import dev.jono.spi.QueueStore;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files are opened, and which errors a file that cannot be read or written causes. */
class FileTest {
    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void name() throws Exception {
        file = directory.toRealPath().resolve("queues.db");
    }

    @Test
    void aNewFileHasApplicationIdAndVersion() throws Exception {
        open(file).close();
        assertThat(ask(file, "PRAGMA application_id")).isEqualTo(Integer.toString(Schema.APPLICATION_ID));
        assertThat(ask(file, "PRAGMA user_version")).isEqualTo("2");
        assertThat(ask(file, "SELECT value FROM meta WHERE key='schema'")).isEqualTo("2");
    }

    @Test
    void anEmptyFileIsInitialized() throws Exception {
        Files.createFile(file);
        open(file).close();
        assertThat(ask(file, "PRAGMA application_id")).isEqualTo(Integer.toString(Schema.APPLICATION_ID));
    }

    @Test
    void aFileOfANewerVersionIsRefused() throws Exception {
        store("a");
        sql(file, "PRAGMA user_version=3");
        assertThatThrownBy(() -> open(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("version 3");
        sql(file, "PRAGMA user_version=2");
        assertStored("a");
    }

    /** Stores messages, and closes the file. */
    private void store(String... texts) {
        try (Backend backend = open(file)) {
            Fixture.insert(queue(backend, "orders"), texts);
        }
    }

    /** Asserts that the file holds these messages and no others. */
    private void assertStored(String... texts) {
        try (Backend backend = open(file)) {
            assertThat(Fixture.texts(Fixture.take(queue(backend, "orders"), 100).messages()))
                    .containsExactly(texts);
        }
    }

    @Test
    void aLockOfAnotherProgramFailsWritesUntilItIsReleased() throws Exception {
        store("a");
        try (Backend backend = open(file, "?jono.busy=200ms");
                SqliteConnection other = SqliteConnection.open(file, 1000)) {
            QueueStore orders = queue(backend, "orders");
            other.executeOnce("BEGIN IMMEDIATE");
            assertThat(Fixture.failure(orders.insert(Fixture.inserting("refused"))))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining(file + " was locked by another process for longer than jono.busy")
                    .hasMessageContaining("nothing was done: find the process that holds a transaction open");
            Fixture.assertReady(orders, 1);
            other.executeOnce("ROLLBACK");
            Fixture.insert(orders, "b");
        }
        assertStored("a", "b");
    }

    /** A row that another program wrote is an undecodable message; other messages are delivered. */
    @Test
    void foreignRowsBecomeDeadLettersAndOtherRowsAreDelivered() throws Exception {
        store("before", "kind", "headers", "after");
        sql(file, "UPDATE message SET kind=9 WHERE CAST(payload AS TEXT)='kind'");
        sql(file, "UPDATE message SET headers='not headers' WHERE CAST(payload AS TEXT)='headers'");
        QueueOptions twice = QueueOptions.builder()
                .deadLetter(DeadLetter.after(2))
                .backoff(Backoff.fixed(Duration.ZERO))
                .build();
        try (QueueFactory jono = QueueFactory.connect("sqlite:" + file)) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string(), twice);
            List<Reservation<String>> found = orders.reserve(10, Duration.ZERO);
            assertThat(found).extracting(Reservation::payload).containsExactly("before", "after");
            orders.ackAll(found);
            Awaitility.await().until(() -> orders.counts().ready() == 2);
            assertThatThrownBy(() -> orders.reserve(Duration.ZERO))
                    .isInstanceOf(UndecodableException.class)
                    .hasMessageContaining("of queue 'orders' has the unknown payload kind 9");
            assertThatThrownBy(() -> orders.reserve(Duration.ZERO))
                    .isInstanceOf(UndecodableException.class)
                    .hasMessageContaining("of queue 'orders' has broken headers")
                    .hasMessageContaining("not headers");
            Awaitility.await().until(() -> orders.totalSize() == 0);
            List<Message<EncodedPayload>> dead = jono.deadLetters().pop(10, Duration.ZERO);
            assertThat(dead).extracting(m -> m.payload().text()).containsExactlyInAnyOrder("kind", "headers");
            assertThat(dead).allSatisfy(m -> {
                assertThat(m.headers().get(Headers.DL_REASON)).isEqualTo("undecodable");
                assertThat(String.valueOf(m.headers().get(Headers.DL_ERROR))).contains("message " + m.id());
            });
        }
    }

    @Test
    void aFileOfAnotherProgramIsRefusedUnchanged() throws Exception {
        sql(file, "CREATE TABLE theirs(x)");
        byte[] before = Files.readAllBytes(file);
        assertThatThrownBy(() -> open(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("another program");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        assertThat(directory.toFile().list()).containsExactly("queues.db");
    }

    @Test
    void aFileThatIsNotSqliteIsRefusedUnchanged() throws Exception {
        Files.writeString(file, "this is a letter, and was never a database of any kind ".repeat(20));
        byte[] before = Files.readAllBytes(file);
        assertThatThrownBy(() -> open(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("not a SQLite file");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    void aCopyMadeBySqliteOpens() throws Exception {
        try (Backend backend = open(file)) {
            Fixture.insert(queue(backend, "orders"), "a");
        }
        Path copy = directory.resolve("copy.db");
        sql(file, "VACUUM INTO '" + copy + "'");
        try (Backend backend = open(copy)) {
            Fixture.assertReady(queue(backend, "orders"), 1);
        }
    }

    @Test
    void anErrorNamesTheMissingDirectory() {
        assertThatThrownBy(() -> open(directory.resolve("missing/queues.db")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(directory.resolve("missing").toString());
        assertThatThrownBy(() -> open(directory)).isInstanceOf(ConfigurationException.class);
    }

    @Test
    void aReadOnlyFileIsRefusedWhenItIsOpened() throws Exception {
        store("a");
        // A write version that SQLite does not know makes a file read-only for every user, root included.
        try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
            raw.seek(18);
            raw.write(3);
        }
        assertThatThrownBy(() -> open(file))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("cannot be written")
                .hasMessageContaining(file.toString());
        try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
            raw.seek(18);
            raw.write(2);
        }
        assertStored("a");
    }

    @Test
    void aFullDiskFailsInsertsAndLosesNothing() throws Exception {
        try (Backend backend = open(file)) {
            QueueStore orders = queue(backend, "orders");
            Fixture.insert(orders, "kept");
            limitPages(backend, 1);
            byte[] large = new byte[200_000];
            String payload = new String(large, StandardCharsets.ISO_8859_1);
            assertThat(Fixture.failure(orders.insert(Fixture.inserting(payload))))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("full")
                    .hasMessageContaining(file.toString());
            Fixture.assertReady(orders, 1);
            limitPages(backend, 1_000_000);
            Fixture.insert(orders, payload);
            assertThat(Fixture.take(orders, 10).messages()).hasSize(2);
        }
    }

    /** Limits the file to a number of pages, or to its present pages if it has more. */
    private static void limitPages(Backend backend, int pages) {
        Fixture.got(Fixture.file(backend)
                .write(1, Command.work(tx -> tx.connection().queryText("PRAGMA max_page_count=" + pages))));
    }

    @Test
    void aDamagedFileIsReported() throws Exception {
        try (Backend backend = open(file)) {
            QueueStore orders = queue(backend, "orders");
            for (int i = 0; i < 5; i++) {
                Fixture.insert(orders, Collections.nCopies(500, "some text").toArray(new String[0]));
            }
        }
        try (RandomAccessFile raw = new RandomAccessFile(file.toFile(), "rw")) {
            for (long page = raw.length() / 4096 / 4; page < raw.length() / 4096; page++) {
                raw.seek(page * 4096);
                raw.write(new byte[4096]);
            }
        }
        try (Backend backend = open(file)) {
            assertThat(Fixture.failure(
                            queue(backend, "orders").take(Fixture.claiming(1000).build())))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("damaged")
                    .hasMessageContaining(file.toString());
        }
    }

    @Test
    void onlyAnIoErrorOfACommitHasAnUnknownOutcome() {
        SqliteErrors errors = new SqliteErrors(file);
        assertThat(errors.commitFailed(new SQLException("disk I/O error", "", 10)))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining(file.toString());
        assertThat(errors.commitFailed(new SQLException("full", "", 13))).isInstanceOf(StorageException.class);
        assertThat(errors.notApplied(new SQLException("disk I/O error", "", 10 | 3 << 8)))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("nothing was done");
    }

    @Test
    void anOldSqliteIsRefused() {
        Schema.checkLibrary("3.51.3");
        Schema.checkLibrary("3.52.0");
        Schema.checkLibrary("4.0");
        for (String old : new String[] {"3.51.2", "3.8.11.1", "3.50.4", "2.9"}) {
            assertThatThrownBy(() -> Schema.checkLibrary(old))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(old)
                    .hasMessageContaining("sqlite-jdbc.version");
        }
    }

    @Test
    void optionsAreChecked() {
        for (String wrong : new String[] {
            "sqlite:", "sqlite::memory:", "?jono.busy=fast", "?jono.durability=some", "?jono.speed=1", "?cache=shared"
        }) {
            String url = wrong.startsWith("?") ? "sqlite:" + file + wrong : wrong;
            assertThatThrownBy(() -> new SqliteBackendProvider().open(Fixture.config(url, JonoClock.system())))
                    .as(wrong)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(
                            wrong.startsWith("?jono.") ? wrong.substring(1, wrong.indexOf('=')) : "sqlite:");
        }
        assertThat(file).doesNotExist();
    }
}
