package dev.jono.backend.sqlite;

import dev.jono.ConfigurationException;
import dev.jono.JonoClock;
import dev.jono.StorageException;
import dev.jono.spi.SteadyClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A file, as this process has it open: once, whatever number of factories use it. The locks by which SQLite and
 * {@link Turn} keep processes apart belong to the process, not to a thread or a factory, so there is one writer.
 */
final class SharedFile {
    private static final ReentrantLock LOCK = new ReentrantLock();
    /** By real path; guarded by LOCK. One that is being closed stays until it is closed. */
    private static final Map<Path, SharedFile> OPEN = new HashMap<>();

    private static final String TOUCH = "UPDATE meta SET value=max(value, ?) WHERE key='clock'";

    private final Path path;
    private final Errors errors;
    private final Readers readers;
    private final SignalHub signals;
    private final Housekeeping housekeeping;
    private final Turn turn;
    private final Writer writer;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    /** Guarded by LOCK. */
    private int users = 1;
    /** Guarded by LOCK. */
    private boolean full;
    /** Guarded by LOCK. */
    private long busyMillis;

    private SharedFile(Path path, Options options, JonoClock clock, Turn turn, Db db, long markMillis) {
        this.path = path;
        this.errors = new Errors(path);
        this.full = options.full();
        this.busyMillis = options.busyMillis();
        this.turn = turn;
        this.readers = new Readers(path, errors, options.busyMillis());
        this.signals = new SignalHub(path);
        this.housekeeping = new Housekeeping(clock, markMillis);
        this.writer = new Writer(this, db, turn, housekeeping, signals, clock);
    }

    /** Opens a file for one more user, who is to {@link #release} it. */
    static SharedFile open(Options options, JonoClock clock) {
        Path path = realPath(options.path());
        while (true) {
            SharedFile leaving;
            LOCK.lock();
            try {
                SharedFile file = OPEN.get(path);
                if (file == null) {
                    file = openFirst(path, options, clock);
                    OPEN.put(path, file);
                    file.writer.start();
                    return file;
                }
                if (file.users > 0) {
                    file.users++;
                    file.strengthen(options);
                    return file;
                }
                leaving = file;
            } finally {
                LOCK.unlock();
            }
            leaving.closed.join();
        }
    }

    private static Path realPath(Path given) {
        Path path = given.toAbsolutePath();
        Path parent = path.getParent();
        Path name = path.getFileName();
        if (parent == null || name == null || Files.isDirectory(path)) {
            throw new ConfigurationException(path + " is a directory: name a file in it");
        }
        if (!Files.isDirectory(parent)) {
            throw new ConfigurationException("the directory " + parent + " does not exist: make it, or name another");
        }
        try {
            return Files.exists(path) ? path.toRealPath() : parent.toRealPath().resolve(name);
        } catch (IOException e) {
            throw new StorageException("finding " + path + " failed: " + e.getMessage(), null, null, e);
        }
    }

    private static SharedFile openFirst(Path path, Options options, JonoClock clock) {
        Turn turn = new Turn(path, clock, options.busyMillis());
        Db db = null;
        boolean opened = false;
        try {
            db = Db.open(path, options.busyMillis());
            Schema.refuseForeign(db, path);
            Files.createDirectories(Turn.directory(path));
            turn.take();
            Schema.prepare(db, path);
            configure(db, options.full());
            long markMillis = touch(db, clock);
            turn.give();
            SharedFile file = new SharedFile(path, options, clock, turn, db, markMillis);
            opened = true;
            return file;
        } catch (SQLException e) {
            throw new Errors(path).undone(e);
        } catch (IOException e) {
            throw new StorageException(
                    "making the directory " + Turn.directory(path) + " failed: " + e.getMessage(), null, null, e);
        } finally {
            if (!opened) {
                turn.close();
                if (db != null) {
                    db.close();
                }
            }
        }
    }

    private static void configure(Db db, boolean full) throws SQLException {
        db.once("PRAGMA synchronous=" + (full ? "FULL" : "NORMAL"));
        db.once("PRAGMA cache_size=-32768");
        db.once("PRAGMA temp_store=MEMORY");
        db.text("PRAGMA wal_autocheckpoint=1000");
        db.text("PRAGMA journal_size_limit=67108864");
    }

    /** Writes something, so that a file which cannot be written is found out now; returns the latest storage time. */
    private static long touch(Db db, JonoClock clock) throws SQLException {
        db.run(Sql.BEGIN);
        PreparedStatement touch = db.prepare(TOUCH);
        touch.setLong(1, clock.wallMillis());
        touch.executeUpdate();
        long mark = db.number("SELECT value FROM meta WHERE key='clock'");
        db.run(Sql.COMMIT);
        return mark;
    }

    /** What a further user asks for beyond what there is: the file is kept as safely as any of them wants. */
    private void strengthen(Options options) {
        if (options.full() && !full) {
            full = true;
            writer.strengthen();
        }
        if (options.busyMillis() > busyMillis) {
            busyMillis = options.busyMillis();
            turn.busyMillis(busyMillis);
        }
    }

    /** One more user of a file that has one. */
    void retain() {
        LOCK.lock();
        try {
            if (users == 0) {
                throw errors.closed();
            }
            users++;
        } finally {
            LOCK.unlock();
        }
    }

    /**
     * One user less. What it has submitted is done before this returns; with the last user threads end and connections
     * are closed.
     */
    void release() {
        boolean last;
        LOCK.lock();
        try {
            users--;
            last = users == 0;
        } finally {
            LOCK.unlock();
        }
        if (last) {
            close();
        } else {
            writer.flush();
        }
    }

    private void close() {
        try {
            writer.stop();
            signals.close();
            readers.close();
        } finally {
            LOCK.lock();
            try {
                OPEN.remove(path, this);
            } finally {
                LOCK.unlock();
            }
            closed.complete(null);
        }
    }

    Path path() {
        return path;
    }

    Errors errors() {
        return errors;
    }

    SignalHub signals() {
        return signals;
    }

    /** A storage clock over the clock of a user of this file. */
    SteadyClock steady(JonoClock clock) {
        return housekeeping.steady(clock);
    }

    /** Lets counters expire from now on: makes the table for that, behind what was submitted. */
    void expireStats() {
        writer.submit(1, Command.work(tx -> {
            StatsExpiry.prepare(tx);
            housekeeping.expireStats();
        }));
    }

    <R> CompletionStage<R> write(int weight, Command.Work<R> work) {
        return writer.submit(weight, work);
    }

    <R> CompletionStage<R> read(Executor executor, Readers.Reading<R> reading) {
        return readers.read(executor, reading);
    }
}
