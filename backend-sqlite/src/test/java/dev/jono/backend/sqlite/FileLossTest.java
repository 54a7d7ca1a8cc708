package dev.jono.backend.sqlite;

import static dev.jono.backend.sqlite.Fixture.failure;
import static dev.jono.backend.sqlite.Fixture.insert;
import static dev.jono.backend.sqlite.Fixture.inserting;
import static dev.jono.backend.sqlite.Fixture.open;
import static dev.jono.backend.sqlite.Fixture.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Codec;
import dev.jono.ConfigurationException;
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

/** What becomes of a process whose file is removed, replaced or renamed, and of one that has two names. */
class FileLossTest {
    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void name() throws Exception {
        file = directory.toRealPath().resolve("queues.db");
    }

    /** What somebody does to the files of a database. */
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

        private final String told;

        Loss(String told) {
            this.told = told;
        }

        abstract void happen(Path file) throws IOException;

        /** It happens, and so long ago that nobody may rely on an earlier look. */
        void happenLongAgo(Path file) throws IOException {
            happen(file);
            long since = System.nanoTime();
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> System.nanoTime() - since > FilePresence.VALID_NANOS);
        }

        void assertTold(Throwable failure, Class<? extends JonoException> type) {
            assertThat(failure)
                    .isInstanceOf(type)
                    .hasMessageContaining(told)
                    .hasMessageContaining("close the QueueFactory and open it anew");
        }
    }

    private static List<Path> files(Path file) {
        return List.of(file, file.resolveSibling("queues.db-wal"), file.resolveSibling("queues.db-shm"));
    }

    /** Lets the writer tell other processes of what was stored, which it does behind its answer. */
    private static void settle(Backend backend) {
        Fixture.got(Fixture.file(backend).write(0, Command.work(tx -> {})));
    }

    /** A directory of its own in the test's, which may be moved. */
    private Path movable() throws IOException {
        return Files.createDirectory(file.resolveSibling("data")).resolve("queues.db");
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsAcknowledgedOnceTheFileIsGone(Loss loss) throws Exception {
        Path lost = movable();
        try (Backend backend = open(lost)) {
            QueueStore orders = queue(backend, "orders");
            insert(orders, "before");
            settle(backend);
            loss.happenLongAgo(lost);
            // In doubt, if the writer had not finished with the transaction before.
            loss.assertTold(failure(orders.insert(inserting("after"))), JonoException.class);
            loss.assertTold(failure(orders.insert(inserting("after"))), StorageException.class);
            loss.assertTold(failure(orders.take(Fixture.claiming(1).build())), StorageException.class);
            loss.assertTold(failure(backend.queues()), StorageException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReaderTellsItToo(Loss loss) throws Exception {
        Path lost = movable();
        try (Backend backend = open(lost)) {
            insert(queue(backend, "orders"), "before");
            assertThat(Fixture.got(backend.queues())).containsExactly("orders");
            settle(backend);
            loss.happenLongAgo(lost);
            List<String> left = list(lost.resolveSibling(""));
            loss.assertTold(failure(backend.queues()), StorageException.class);
            loss.assertTold(failure(backend.queues()), StorageException.class);
            assertThat(left).as("nothing is made").containsAll(list(lost.resolveSibling("")));
        }
    }

    private static List<String> list(Path directory) {
        String[] names = directory.toFile().list();
        return names == null
                ? List.of()
                : java.util.Arrays.stream(names).sorted().toList();
    }

    /** Between the begin and the commit, where no look beforehand can find it. */
    @ParameterizedTest
    @EnumSource
    void aCommitIntoAFileThatIsGoneIsNotTakenForStored(Loss loss) throws Exception {
        Path lost = movable();
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
            loss.happenLongAgo(lost);
            gone.countDown();
            loss.assertTold(failure(held), OutcomeUnknownException.class);
            loss.assertTold(failure(together), JonoException.class);
            loss.assertTold(failure(orders.insert(inserting("after"))), StorageException.class);
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
    void aFileSystemThatGoesAwayIsNoticed() throws Exception {
        Path mounted = movable();
        try (TmpfsMount disk = TmpfsMount.tmpfs(mounted.resolveSibling(""), "size=24m");
                Backend backend = open(mounted)) {
            QueueStore orders = queue(backend, "orders");
            insert(orders, "before");
            settle(backend);
            disk.takeAway();
            Loss.REMOVED.assertTold(failure(orders.insert(inserting("after"))), JonoException.class);
            Loss.REMOVED.assertTold(failure(backend.queues()), StorageException.class);
            assertThat(list(mounted.resolveSibling(""))).as("nothing is made").isEmpty();
        }
    }

    @Test
    void aFileThatCameBackServesAgainOnceItIsOpenedAnew() throws Exception {
        Path away = file.resolveSibling("away.db");
        try (Backend backend = open(file)) {
            QueueStore orders = queue(backend, "orders");
            insert(orders, "kept");
            Files.move(file, away);
            assertThat(failure(backend.queues())).isInstanceOf(StorageException.class);
            Files.move(away, file);
            assertThat(failure(orders.insert(inserting("refused"))))
                    .as("others may have used another file meanwhile")
                    .isInstanceOf(StorageException.class);
            // Also while the old one is not closed yet.
            try (Backend anew = open(file)) {
                insert(queue(anew, "orders"), "b");
                assertThat(Fixture.texts(Fixture.take(queue(anew, "orders"), 10).messages()))
                        .containsExactly("kept", "b");
            }
        }
    }

    @Test
    void aReplacedFileServesOnceItIsOpenedAnew() throws Exception {
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
            try (Backend anew = open(file)) {
                assertThat(Fixture.texts(Fixture.take(queue(anew, "orders"), 10).messages()))
                        .containsExactly("restored");
            }
            assertThat(failure(queue(backend, "orders").insert(inserting("refused"))))
                    .isInstanceOf(StorageException.class);
        }
    }

    /** What was stored into a log without a name is saved when the file is closed, if nobody else has it open. */
    @Test
    void whatStoodInARemovedLogIsKept() throws Exception {
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
    void aWaitingConsumerLearnsItWithinASecondOrTwo() throws Exception {
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
    void theDirectoryBesideTheFileIsMadeAnewAndSignalsGoOn() throws Exception {
        try (QueueFactory jono = QueueFactory.connect("sqlite:" + file);
                ChildProcess echo = ChildProcess.start("echo", file)) {
            MessageQueue<String> ping = jono.queue("ping", Codec.string());
            MessageQueue<String> pong = jono.queue("pong", Codec.string());
            ping.push("a");
            assertThat(pong.pop(Duration.ofSeconds(30)).orElseThrow().payload()).isEqualTo("a");
            SqliteStoreContractTest.delete(CompanionFiles.directory(file));
            Awaitility.await().until(() -> {
                ping.push("b");
                return Files.exists(CompanionFiles.signal(file))
                        && Files.exists(CompanionFiles.turn(file));
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

    @Test
    void aFileWithASecondNameIsRefusedUnderBoth() throws Exception {
        try (Backend backend = open(file)) {
            insert(queue(backend, "orders"), "kept");
        }
        Path second = Files.createLink(file.resolveSibling("second.db"), file);
        for (Path name : List.of(file, second)) {
            assertThatThrownBy(() -> open(name))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(name + " has 2 names (hard links)");
        }
        Files.delete(second);
        try (Backend backend = open(file)) {
            Fixture.assertReady(queue(backend, "orders"), 1);
            Files.createLink(second, file);
            assertThatThrownBy(() -> open(second)).isInstanceOf(ConfigurationException.class);
        }
    }

    /** As with a mount of the file alone, or a hard link whose first name is gone. */
    @Test
    void aFileThatAnotherProcessHasOpenUnderAnotherNameIsRefused() throws Exception {
        open(file).close();
        try (ChildProcess child = ChildProcess.start("exclusive", file)) {
            Path second = Files.move(file, file.resolveSibling("second.db"));
            assertThatThrownBy(() -> open(second, "?jono.busy=200ms"))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining(second + " is open in another process, but " + second + "-wal is not there");
            child.go();
        }
    }

    @Test
    void theLogOfAMissingFileIsNotGivenToANewOne() throws Exception {
        try (Backend backend = open(file)) {
            insert(queue(backend, "orders"), "a");
            ChildProcess child = ChildProcess.start("turn", file);
            child.kill();
            Files.delete(file);
            assertThat(failure(backend.queues())).isInstanceOf(StorageException.class);
        }
        assertThat(list(directory)).contains("queues.db-wal");
        assertThatThrownBy(() -> open(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("queues.db-wal or queues.db-shm of an earlier file is there");
        assertThat(file).doesNotExist();
    }

    @Test
    void aLinkIsFollowedAlsoToAFileThatIsNotThereYet() throws Exception {
        Path target = Files.createDirectory(file.resolveSibling("data")).resolve("real.db");
        Files.createSymbolicLink(file, Path.of("data", "real.db"));
        try (Backend backend = open(file);
                Backend direct = open(target)) {
            assertThat(Fixture.file(direct)).isSameAs(Fixture.file(backend));
            assertThat(target).isRegularFile();
        }
        assertThat(list(target.resolveSibling(""))).containsExactly("real.db", "real.db-jono");
        assertThat(list(directory)).containsExactly("data", "queues.db");
    }

    @Test
    void aFileIsNotMadeWhereTheUrlForbidsIt() throws Exception {
        assertThatThrownBy(() -> open(file, "?jono.create=false"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(file + " does not exist, and is not made (jono.create=false)");
        assertThat(list(directory)).isEmpty();
        open(file).close();
        open(file, "?jono.create=false").close();
    }
}
