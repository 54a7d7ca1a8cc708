package dev.jono.backend.sqlite;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The paths of the files next to a database: those of SQLite, and those in the directory that Jono's processes share.
 */
final class CompanionFiles {
    private CompanionFiles() {}

    /** SQLite's write-ahead log. */
    static Path log(Path database) {
        return sibling(database, "-wal");
    }

    /** The shared memory by which SQLite's processes find data in the log. */
    static Path sharedMemory(Path database) {
        return sibling(database, "-shm");
    }

    /** The directory of the files that Jono's processes share in addition to the database. */
    static Path directory(Path database) {
        return sibling(database, "-jono");
    }

    /** The lock file of {@link WriteTurn}. */
    static Path turn(Path database) {
        return directory(database).resolve("turn");
    }

    /** The file of {@link SignalRing}. */
    static Path signal(Path database) {
        return directory(database).resolve("signal");
    }

    /** The file of {@link DiskReserve}. */
    static Path reserve(Path database) {
        return directory(database).resolve("reserve");
    }

    /** Creates the directory; fails if the database does not exist, so that nothing is left in its place. */
    static void createDirectory(Path database) throws IOException {
        if (Files.notExists(database)) {
            throw new NoSuchFileException(database.toString());
        }
        try {
            Files.createDirectory(directory(database));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory(database))) {
                throw e;
            }
        }
    }

    private static Path sibling(Path database, String suffix) {
        return database.resolveSibling(database.getFileName() + suffix);
    }
}
