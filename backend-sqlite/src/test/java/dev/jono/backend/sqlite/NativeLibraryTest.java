package dev.jono.backend.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where SQLite's native library is unpacked, and that no copy is left. */
class NativeLibraryTest {
    @TempDir
    Path directory;

    private Path temporary;
    private Path file;

    @BeforeEach
    void name() throws Exception {
        temporary = Files.createDirectory(directory.toRealPath().resolve("tmp"));
        file = directory.toRealPath().resolve("queues.db");
    }

    @Test
    void aKilledProcessLeavesNoCopy() throws Exception {
        for (int i = 0; i < 2; i++) {
            ChildProcess child = ChildProcess.start("exclusive", file, "-Djava.io.tmpdir=" + temporary);
            child.kill();
        }
        try (var left = Files.list(temporary)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void onlyOldFoldersOfThisLibraryAreDeleted() throws Exception {
        Path old = createFolder("jono-sqlite-lib1", Duration.ofHours(2));
        Path starting = createFolder("jono-sqlite-lib2", Duration.ZERO);
        Path other = createFolder("jono-sqlite", Duration.ofHours(2));
        Path elsewhere = createFolder("../elsewhere", Duration.ofHours(2));
        Path link = Files.createSymbolicLink(temporary.resolve("jono-sqlite-lib3"), elsewhere);
        ChildProcess.start("exclusive", file, "-Djava.io.tmpdir=" + temporary).close();
        assertThat(old).doesNotExist();
        assertThat(List.of(starting, other, elsewhere, link))
                .allSatisfy(each -> assertThat(each.resolve("library")).exists());
    }

    /** Creates a folder of a given age, with a file in it. */
    private Path createFolder(String name, Duration age) throws Exception {
        Path folder = Files.createDirectory(temporary.resolve(name));
        Files.createFile(folder.resolve("library"));
        return Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minus(age)));
    }

    @Test
    void anErrorForANoexecFolderNamesTheOption() throws Exception {
        try (TmpfsMount noexec = TmpfsMount.tmpfs(temporary, "size=8m,noexec")) {
            assertThat(ChildProcess.failure("exclusive", file, "-Djava.io.tmpdir=" + noexec.path()))
                    .isEqualTo("dev.jono.ConfigurationException: SQLite's native library cannot be loaded from "
                            + temporary + ", which is mounted noexec: name a folder that is writable and not mounted"
                            + " noexec with -Dorg.sqlite.tmpdir=/path/to/folder");
            // The option helps.
            Path allowed = Files.createDirectory(directory.resolve("allowed"));
            ChildProcess.start("exclusive", file, "-Djava.io.tmpdir=" + temporary, "-Dorg.sqlite.tmpdir=" + allowed)
                    .close();
            try (var left = Files.list(allowed)) {
                assertThat(left).isEmpty();
            }
        }
    }

    @Test
    void anErrorForAMissingFolderNamesTheOption() throws Exception {
        assertThat(ChildProcess.failure("exclusive", file, "-Dorg.sqlite.tmpdir=" + directory.resolve("missing")))
                .contains("SQLite's native library cannot be unpacked into " + directory.resolve("missing"))
                .contains("-Dorg.sqlite.tmpdir=/path/to/folder");
    }

    @Test
    void theInnermostAndLastMountDecides() {
        List<String> mounts = List.of(
                "overlay / overlay rw,relatime 0 0",
                "tmpfs /tmp tmpfs rw,nosuid,noexec,size=8m 0 0",
                "tmpfs /tmp/a\\040b tmpfs rw,noexec 0 0",
                "tmpfs /tmp/a\\040b tmpfs rw,nosuid 0 0",
                "broken");
        assertThat(NativeLibrary.noexec(mounts, Path.of("/tmp/jono"))).isTrue();
        assertThat(NativeLibrary.noexec(mounts, Path.of("/tmp/a b/jono"))).isFalse();
        assertThat(NativeLibrary.noexec(mounts, Path.of("/tmpx"))).isFalse();
        assertThat(NativeLibrary.noexec(List.of(), Path.of("/tmp"))).isFalse();
    }
}
