package dev.jono.testkit.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Creates the folders in which servers keep their data. */
final class ServerFolder {
    private static final Path IN_MEMORY = Path.of("/dev/shm");
    private static final long MIN_FREE_BYTES = 8L << 30;

    private ServerFolder() {}

    /**
     * Creates a folder, in memory if {@code /dev/shm} has enough room. The files of a killed server survive in both
     * places, and many servers that sync to one disk are slow.
     */
    static Path create(String prefix) throws IOException {
        return create(prefix, false);
    }

    /** As {@link #create(String)}, or on the disk if the cost of a sync matters. */
    static Path create(String prefix, boolean onDisk) throws IOException {
        boolean inMemory = !onDisk
                && Files.isDirectory(IN_MEMORY)
                && Files.isWritable(IN_MEMORY)
                && Files.getFileStore(IN_MEMORY).getUsableSpace() > MIN_FREE_BYTES;
        return inMemory ? Files.createTempDirectory(IN_MEMORY, prefix) : Files.createTempDirectory(prefix);
    }
}
