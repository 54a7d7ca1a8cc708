package dev.jono.backend.sqlite;

import dev.jono.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reserved disk space: a file next to the database, slightly larger than SQLite's log. Takes and acks write to the log,
 * and a checkpoint copies the log into the database, so both need space. On a full disk the writer deletes this file,
 * and uses its space for them. New messages are stored only while the space is reserved.
 *
 * <p>Used only by the process that has the turn to write, on its writer's thread.
 */
final class DiskReserve {
    private static final Logger LOG = LoggerFactory.getLogger(DiskReserve.class);

    private static final int STEP = 1 << 20;
    /** SQLite's log grows beyond this only by a large transaction, or while a reader keeps a snapshot for long. */
    private static final int MAX_STEPS = 16;

    /** How long a successful check is valid. */
    private static final long RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** How long a refusal is valid. */
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Path database;
    private final SqliteErrors errors;
    private final Path log;
    private final Path file;
    private long nextCheckNanos = RealTime.nanos();
    private @Nullable StorageException refusal;
    private boolean released;

    DiskReserve(Path database) {
        this.database = database;
        this.errors = new SqliteErrors(database);
        this.log = CompanionFiles.log(database);
        this.file = CompanionFiles.reserve(database);
    }

    /**
     * Reserves the space if it is not reserved.
     *
     * @throws StorageException if the disk does not have enough space, now or less than a second ago
     */
    void ensure() {
        long now = RealTime.nanos();
        if (now - nextCheckNanos >= 0) {
            try {
                // Released space is reserved again only if as much remains free.
                allocate(2);
                refusal = null;
                nextCheckNanos = now + RECHECK_NANOS;
            } catch (IOException e) {
                refusal = errors.noReserve(e);
                nextCheckNanos = now + RETRY_NANOS;
            }
        }
        if (refusal != null) {
            throw refusal;
        }
    }

    /** Reserves released space again for the next process. Called after the database is closed. */
    void refill() {
        if (released) {
            try {
                allocate(1);
            } catch (IOException e) {
                LOG.debug("reserving space in {} failed", file, e);
            }
        }
    }

    /**
     * Extends the file to the size that the log needs.
     *
     * @param times a new file is created only if the disk has room for this many times its size
     */
    private void allocate(int times) throws IOException {
        long targetSize = (long) STEP * Math.min(MAX_STEPS, 2 + size(log) / STEP);
        long currentSize = size(file);
        if (currentSize >= targetSize) {
            return;
        }
        CompanionFiles.createDirectory(database);
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            try {
                write(out, currentSize, currentSize == 0 ? times * targetSize : targetSize);
                out.truncate(targetSize);
            } catch (IOException e) {
                out.truncate(currentSize);
                throw e;
            }
        }
    }

    /** Writes random bytes, which no file system can compress or leave out. */
    private static void write(FileChannel out, long from, long to) throws IOException {
        byte[] random = new byte[STEP / 16];
        ThreadLocalRandom.current().nextBytes(random);
        for (long position = from; position < to; position += random.length) {
            ByteBuffer bytes = ByteBuffer.wrap(random, 0, (int) Math.min(random.length, to - position));
            while (bytes.hasRemaining()) {
                out.write(bytes, position + bytes.position());
            }
        }
    }

    private static long size(Path path) throws IOException {
        return Files.exists(path) ? Files.size(path) : 0;
    }

    /** Releases the space; false if none was reserved. */
    boolean release() {
        nextCheckNanos = RealTime.nanos();
        try {
            boolean deleted = Files.deleteIfExists(file);
            released |= deleted;
            return deleted;
        } catch (IOException e) {
            LOG.warn("deleting {} failed", file, e);
            return false;
        }
    }
}
