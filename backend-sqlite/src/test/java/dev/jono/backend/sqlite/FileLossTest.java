package dev.jono.backend.sqlite;

import static dev.jono.backend.sqlite.Fixture.failure;
import static dev.jono.backend.sqlite.Fixture.insert;
import static dev.jono.backend.sqlite.Fixture.inserting;
import static dev.jono.backend.sqlite.Fixture.open;
import static dev.jono.backend.sqlite.Fixture.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Codec;
import dev.jono.JonoException;
import dev.jono.MessageQueue;
import dev.jono.OutcomeUnknownException;
import dev.jono.QueueFactory;
import dev.jono.StorageException;
import dev.jono.spi.Backend;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.QueueStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process whose file is removed, replaced or renamed while it is open: its calls fail, and nothing is acknowledged.
 */
class FileLossTest {
    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void name() throws Exception {
        file = directory.toRealPath().resolve("queues.db");
    }

    /** A way to lose the files of a database. */
    enum Loss {
        REMOVED("queues.db was removed or moved") {
            @Override
            void happen(Path file) throws IOException {
                Files.delete(file);
            }
        },
        ALL_REMOVED("queues.db was removed or moved") {
            @Override
            void happen(Path file) throws IOException {
                SqliteStoreContractTest.delete(CompanionFiles.directory(file));
                for (Path each : files(file)) {
                    Files.delete(each);
                }
            }
        },
        DIRECTORY_MOVED("queues.db was removed or moved") {
            @Override
            void happen(Path file) throws IOException {
                Path parent = file.resolveSibling("").toAbsolutePath().normalize();
                Files.move(parent, parent.resolveSibling("away"));
            }
        },
        REPLACED("queues.db was replaced by another file") {
            @Override
            void happen(Path file) throws IOException {
                Path copy = Files.copy(file, file.resolveSibling("copy"));
                Files.move(copy, file, StandardCopyOption.REPLACE_EXISTING);
            }
        },
        EMPTIED("queues.db was emptied") {
            @Override
            void happen(Path file) throws IOException {
                Files.newByteChannel(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
                        .close();
            }
        },
        LOG_REMOVED("queues.db-wal was removed or moved") {
            @Override
            void happen(Path file) throws IOException {
                Files.delete(file.resolveSibling("queues.db-wal"));
            }
        },
        SHARED_MEMORY_REMOVED("queues.db-shm was removed or moved") {
            @Override
            void happen(Path file) throws IOException {
                Files.delete(file.resolveSibling("queues.db-shm"));
            }
        };

        private final String message;

        Loss(String message) {
            this.message = message;
        }

        abstract void happen(Path file) throws IOException;

        /** Lets it happen, and waits until the result of an earlier check is not valid any more. */
        void happenAndExpireChecks(Path file) throws IOException {
            happen(file);
            long since = System.nanoTime();
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> System.nanoTime() - since > FilePresence.VALID_NANOS);
        }

        void assertReported(Throwable failure, Class<? extends JonoException> type) {
            assertThat(failure)
                    .isInstanceOf(type)
                    .hasMessageContaining(message)
                    .hasMessageContaining("close the QueueFactory and open it again");
        }
    }

    private static List<Path> files(Path file) {
        return List.of(file, file.resolveSibling("queues.db-wal"), file.resolveSibling("queues.db-shm"));
    }

    /** Waits until the writer has published the signals of earlier commands, which it does after it completes them. */
    private static void awaitPublished(Backend backend) {
        Fixture.got(Fixture.file(backend).write(0, Command.work(tx -> {})));
    }

    /** A file in a subdirectory of the test's directory, which a test can move. */
    private Path fileInSubdirectory() throws IOException {
        return Files.createDirectory(file.resolveSibling("data")).resolve("queues.db");
    }

    @ParameterizedTest
    @EnumSource
    void callsFailAfterTheFileIsLost(Loss loss) throws Exception {
        Path lost = fileInSubdirectory();
        try (Backend backend = open(lost)) {
            QueueStore orders = queue(backend, "orders");
            insert(orders, "before");
            awaitPublished(backend);
            loss.happenAndExpireChecks(lost);
            // The outcome is unknown if the writer has not finished the transaction before.
            loss.assertReported(failure(orders.insert(inserting("after"))), JonoException.class);
            loss.assertReported(failure(orders.insert(inserting("after"))), StorageException.class);
            loss.assertReported(failure(orders.take(Fixture.claiming(1).build())), StorageException.class);
            loss.assertReported(failure(backend.queues()), StorageException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void readsFailAfterTheFileIsLost(Loss loss) throws Exception {
        Path lost = fileInSubdirectory();
        try (Backend backend = open(lost)) {
            insert(queue(backend, "orders"), "before");
            assertThat(Fixture.got(backend.queues())).containsExactly("orders");
            awaitPublished(backend);
            loss.happenAndExpireChecks(lost);
            List<String> left = Fixture.list(lost.resolveSibling(""));
            loss.assertReported(failure(backend.queues()), StorageException.class);
            loss.assertReported(failure(backend.queues()), StorageException.class);
            assertThat(left).as("nothing is made").containsAll(Fixture.list(lost.resolveSibling("")));
        }
    }

    /** The file is lost between the begin and the commit, so a check before the transaction cannot detect it. */
    @ParameterizedTest
    @EnumSource
    void aCommitIntoALostFileHasAnUnknownOutcome(Loss loss) throws Exception {
        Path lost = fileInSubdirectory();
        try (Backend backend = open(lost)) {
            QueueStore orders = queue(backend, "orders");
            insert(orders, "before");
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch gone = new CountDownLatch(1);
            CompletionStage<Void> held = Fixture.file(backend).write(1, Command.work(tx -> {
                tx.connection();
                begun.countDown();
                await(gone);
            }));
            CompletionStage<ClaimResult> together =
                    orders.take(Fixture.claiming(1).build());
            await(begun);
            loss.happenAndExpireChecks(lost);
            gone.countDown();
            loss.assertReported(failure(held), OutcomeUnknownException.class);
            loss.assertReported(failure(together), JonoException.class);
            loss.assertReported(failure(orders.insert(inserting("after"))), StorageException.class);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void anUnmountedFileSystemIsDetected() throws Exception {
        Path mounted = fileInSubdirectory();
        try (TmpfsMount disk = TmpfsMount.tmpfs(mounted.resolveSibling(""), "size=24m");
                Backend backend = open(mounted)) {
            QueueStore orders = queue(backend, "orders");
            insert(orders, "before");
            awaitPublished(backend);
            disk.unmount();
            Loss.REMOVED.assertReported(failure(orders.insert(inserting("after"))), JonoException.class);
            Loss.REMOVED.assertReported(failure(backend.queues()), StorageException.class);
            assertThat(Fixture.list(mounted.resolveSibling("")))
                    .as("nothing is made")
                    .isEmpty();
        }
    }

    @Test
    void aRestoredFileWorksAfterItIsOpenedAgain() throws Exception {
        Path away = file.resolveSibling("away.db");
        try (Backend backend = open(file)) {
            QueueStore orders = queue(backend, "orders");
            insert(orders, "kept");
            Files.move(file, away);
            assertThat(failure(backend.queues())).isInstanceOf(StorageException.class);
            Files.move(away, file);
            assertThat(failure(orders.insert(inserting("refused"))))
                    .as("other processes may have used another file in between")
                    .isInstanceOf(StorageException.class);
            // Also while the old backend is not closed.
            try (Backend again = open(file)) {
                insert(queue(again, "orders"), "b");
                assertThat(Fixture.texts(
                                Fixture.take(queue(again, "orders"), 10).messages()))
                        .containsExactly("kept", "b");
            }
        }
    }

    @Test
    void aReplacedFileWorksAfterItIsOpenedAgain() throws Exception {
        Path restored = file.resolveSibling("restored.db");
        try (Backend other = open(restored)) {
            insert(queue(other, "mails"), "m");
            insert(queue(other, "orders"), "restored");
        }
        try (Backend backend = open(file)) {
            insert(queue(backend, "orders"), "old");
            for (Path each : files(file)) {
                Files.delete(each);
            }
            Files.move(restored, file);
            try (Backend again = open(file)) {
                assertThat(Fixture.texts(
                                Fixture.take(queue(again, "orders"), 10).messages()))
                        .containsExactly("restored");
            }
            assertThat(failure(queue(backend, "orders").insert(inserting("refused"))))
                    .isInstanceOf(StorageException.class);
        }
    }

    /** SQLite saves the content of a removed log when the file is closed, if no other process has it open. */
    @Test
    void theContentOfARemovedLogIsKept() throws Exception {
        try (Backend backend = open(file)) {
            insert(queue(backend, "orders"), "kept");
            Files.delete(CompanionFiles.log(file));
            assertThat(failure(backend.queues())).isInstanceOf(StorageException.class);
        }
        try (Backend backend = open(file)) {
            assertThat(Fixture.texts(Fixture.take(queue(backend, "orders"), 10).messages()))
                    .containsExactly("kept");
        }
    }

    @Test
    void aWaitingPopFailsWithinSeconds() throws Exception {
        try (QueueFactory jono = QueueFactory.connect("sqlite:" + file)) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            CompletableFuture<?> waiting =
                    orders.popAsync(Duration.ofMinutes(5)).toCompletableFuture();
            Awaitility.await().until(() -> Files.exists(CompanionFiles.signal(file)));
            Files.delete(file);
            assertThatThrownBy(() -> waiting.get(5, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("queues.db was removed or moved");
        }
    }

    @Test
    void aRemovedCompanionDirectoryIsCreatedAgainAndSignalsContinue() throws Exception {
        try (QueueFactory jono = QueueFactory.connect("sqlite:" + file);
                ChildProcess echo = ChildProcess.start("echo", file)) {
            MessageQueue<String> ping = jono.queue("ping", Codec.string());
            MessageQueue<String> pong = jono.queue("pong", Codec.string());
            ping.push("a");
            assertThat(pong.pop(Duration.ofSeconds(30)).orElseThrow().payload()).isEqualTo("a");
            SqliteStoreContractTest.delete(CompanionFiles.directory(file));
            Awaitility.await().until(() -> {
                ping.push("b");
                return Files.exists(CompanionFiles.signal(file)) && Files.exists(CompanionFiles.turn(file));
            });
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> pong.pop(Duration.ZERO).isPresent());
            List<String> rest = new ArrayList<>();
            ping.push("last");
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> {
                pong.pop(100, Duration.ZERO).forEach(m -> rest.add(m.payload()));
                return rest.contains("last");
            });
            ping.push("stop");
            assertThat(echo.line()).as("it ended").isEmpty();
        }
    }
}
