package dev.jono.backend.sqlite;

import static dev.jono.backend.sqlite.Fixture.failure;
import static dev.jono.backend.sqlite.Fixture.insert;
import static dev.jono.backend.sqlite.Fixture.open;
import static dev.jono.backend.sqlite.Fixture.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.ConfigurationException;
import dev.jono.StorageException;
import dev.jono.spi.Backend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names of a file: hard links, symbolic links, another name in another process, and a missing file. */
class FileNamesTest {
    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void name() throws Exception {
        file = directory.toRealPath().resolve("queues.db");
    }

    @Test
    void aFileWithAHardLinkIsRefusedUnderBothNames() throws Exception {
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

    /** As with a mount of the file without its directory, or a hard link whose first name was removed. */
    @Test
    void aFileThatAnotherProcessHasOpenUnderAnotherNameIsRefused() throws Exception {
        open(file).close();
        try (ChildProcess child = ChildProcess.start("exclusive", file)) {
            Path second = Files.move(file, file.resolveSibling("second.db"));
            assertThatThrownBy(() -> open(second, "?jono.busy=200ms"))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining(
                            second + " is open in another process, but " + second + "-wal does not exist");
            child.go();
        }
    }

    @Test
    void theLogOfAMissingFileIsNotAppliedToANewFile() throws Exception {
        try (Backend backend = open(file)) {
            insert(queue(backend, "orders"), "a");
            ChildProcess child = ChildProcess.start("turn", file);
            child.kill();
            Files.delete(file);
            assertThat(failure(backend.queues())).isInstanceOf(StorageException.class);
        }
        assertThat(Fixture.list(directory)).contains("queues.db-wal");
        assertThatThrownBy(() -> open(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("queues.db-wal or queues.db-shm of an earlier file exists");
        assertThat(file).doesNotExist();
    }

    @Test
    void aSymbolicLinkToAMissingFileIsFollowed() throws Exception {
        Path target = Files.createDirectory(file.resolveSibling("data")).resolve("real.db");
        Files.createSymbolicLink(file, Path.of("data", "real.db"));
        try (Backend backend = open(file);
                Backend direct = open(target)) {
            assertThat(Fixture.file(direct)).isSameAs(Fixture.file(backend));
            assertThat(target).isRegularFile();
        }
        assertThat(Fixture.list(target.resolveSibling(""))).containsExactly("real.db", "real.db-jono");
        assertThat(Fixture.list(directory)).containsExactly("data", "queues.db");
    }

    @Test
    void aMissingFileIsNotCreatedIfTheUrlForbidsIt() throws Exception {
        assertThatThrownBy(() -> open(file, "?jono.create=false"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(file + " does not exist, and is not made (jono.create=false)");
        assertThat(Fixture.list(directory)).isEmpty();
        open(file).close();
        open(file, "?jono.create=false").close();
    }
}
