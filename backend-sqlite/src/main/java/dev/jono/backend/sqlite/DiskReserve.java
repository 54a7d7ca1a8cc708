package dev.jono.backend.sqlite;

import dev.jono.JonoClock;
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
 * Space on the disk that is set aside, as a file beside the database: as much as SQLite's log holds, and a little
 * more. Taking and acknowledging messages writes to the log, and what stands there must go into the database before
 * the log is used from its start again, so both need space. On a full disk the file is deleted, and its space serves
 * them. Messages are stored only while the space is set aside.
 *
 * <p>Used only by the process that has the turn to write.
 */
final class DiskReserve {
    private static final Logger LOG = LoggerFactory.getLogger(DiskReserve.class);

    /** Not the factory's clock, which may be a test's and stand still. */
    private static final JonoClock REAL = JonoClock.system();

    private static final int STEP = 1 << 20;
    /** SQLite's log is larger only while a transaction is, or while something reads for long. */
    private static final int MAX_STEPS = 16;

    /** How long what was found out holds. */
    private static final long RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Path database;
    private final SqliteErrors errors;
    private final Path log;
    private final Path file;
    private long nextCheckNanos = REAL.nanos();
    private @Nullable StorageException refusal;
    private boolean released;

    DiskReserve(Path database) {
        this.database = database;
        this.errors = new SqliteErrors(database);
        this.log = CompanionFiles.log(database);
        this.file = CompanionFiles.reserve(database);
    }

    /**
     * Sets aside what is missing.
     *
     * @throws StorageException if the disk has not so much, a moment ago or now
     */
    void ensure() {
        long now = REAL.nanos();
        if (now - nextCheckNanos >= 0) {
            try {
                // What was given up is set aside again only where it leaves something for others.
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

    /** After the database was closed: sets aside again what was given up, for the next process that starts. */
    void refill() {
        if (released) {
            try {
                allocate(1);
            } catch (IOException e) {
                LOG.debug("the disk of {} stays full", file, e);
            }
        }
    }

    /** Sets aside what is missing; the first time only if the disk has room for this many times as much. */
    private void allocate(int times) throws IOException {
        long wanted = (long) STEP * Math.min(MAX_STEPS, 2 + size(log) / STEP);
        long had = size(file);
        if (had >= wanted) {
            return;
        }
        CompanionFiles.createDirectory(database);
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            try {
                write(out, had, had == 0 ? times * wanted : wanted);
                out.truncate(wanted);
            } catch (IOException e) {
                out.truncate(had);
                throw e;
            }
        }
    }

    /** Bytes that no file system can leave out or press together. */
    private static void write(FileChannel out, long from, long to) throws IOException {
        byte[] some = new byte[STEP / 16];
        ThreadLocalRandom.current().nextBytes(some);
        for (long at = from; at < to; at += some.length) {
            ByteBuffer bytes = ByteBuffer.wrap(some, 0, (int) Math.min(some.length, to - at));
            while (bytes.hasRemaining()) {
                out.write(bytes, at + bytes.position());
            }
        }
    }

    private static long size(Path path) throws IOException {
        return Files.exists(path) ? Files.size(path) : 0;
    }

    /** Gives the space to whatever needs it. False when none was set aside. */
    boolean release() {
        nextCheckNanos = REAL.nanos();
        try {
            boolean there = Files.deleteIfExists(file);
            released |= there;
            return there;
        } catch (IOException e) {
            LOG.warn("deleting {} failed", file, e);
            return false;
        }
    }
}
