package dev.jono.testkit.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where a started server keeps its data. */
final class ServerFolder {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final long ROOM_BYTES = 8L << 30;

    private ServerFolder() {}

    /**
     * A new folder; in memory where the system has a file system there with some room. A server that is killed keeps what
     * it wrote in either: only a power cut tells them apart, and many servers that sync share one disk badly.
     */
    static Path create(String prefix) throws IOException {
        return create(prefix, false);
    }

    /** As {@link #create(String)}, or on the disk where that is what matters: a sync costs what it costs there. */
    static Path create(String prefix, boolean onDisk) throws IOException {
        boolean inMemory = !onDisk
                && Files.isDirectory(MEMORY)
                && Files.isWritable(MEMORY)
                && Files.getFileStore(MEMORY).getUsableSpace() > ROOM_BYTES;
        return inMemory ? Files.createTempDirectory(MEMORY, prefix) : Files.createTempDirectory(prefix);
    }
}
