package dev.jono.backend.sqlite;

import dev.jono.JonoClock;
import dev.jono.spi.SteadyClock;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A file that this process has open: once, for all factories that use it. The file locks of SQLite and {@link
 * WriteTurn} belong to the process, not to a thread or a factory, so a file has one writer. Thread-safe.
 */
final class SharedFile {
    private static final ReentrantLock LOCK = new ReentrantLock();
    /** The open files by real path; guarded by LOCK. A file that is being closed stays until it is closed. */
    private static final Map<Path, SharedFile> OPEN = new HashMap<>();

    private final Path path;
    private final SqliteErrors errors;
    private final Readers readers;
    private final SignalHub signals;
    private final Housekeeping housekeeping;
    private final WriteTurn turn;
    private final FilePresence presence;
    private final Writer writer;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    /** Guarded by LOCK. */
    private int users = 1;
    /** Guarded by LOCK. */
    private boolean fullDurability;
    /** Guarded by LOCK. */
    private long busyMillis;

    private SharedFile(Path path, Options options, JonoClock clock, FileOpening opening) {
        this.path = path;
        this.errors = new SqliteErrors(path);
        this.fullDurability = options.fullDurability();
        this.busyMillis = options.busyMillis();
        this.turn = opening.turn();
        this.presence = opening.presence();
        this.readers = new Readers(this, options.busyMillis());
        this.signals = new SignalHub(path, presence);
        this.housekeeping = new Housekeeping(clock, opening.latestMillis());
        this.writer = new Writer(path, opening, housekeeping, signals, clock, this::forget);
    }

    /** Opens a file for one more user, which must {@link #release} it. */
    static SharedFile open(Options options, JonoClock clock) {
        Path path = FileOpening.realPath(options.path());
        while (true) {
            SharedFile closing;
            LOCK.lock();
            try {
                FileOpening.createIfMissing(path, options);
                FileOpening.refuseHardLinks(path);
                SharedFile file = find(path);
                if (file == null) {
                    file = new SharedFile(path, options, clock, FileOpening.open(path, options, clock));
                    OPEN.put(path, file);
                    file.writer.start();
                    return file;
                }
                if (file.users > 0 && file.checkPresent()) {
                    file.users++;
                    file.applyStricter(options);
                    return file;
                }
                closing = file;
            } finally {
                LOCK.unlock();
            }
            closing.closed.join();
        }
    }

    /** The open file of a path, or of another path that leads to the same file. Null if there is none. */
    private static @Nullable SharedFile find(Path path) {
        SharedFile open = OPEN.get(path);
        if (open != null || OPEN.isEmpty()) {
            return open;
        }
        return OPEN.values().stream()
                .filter(file -> file.presence.isDatabase(path))
                .findFirst()
                .orElse(null);
    }

    /** Adopts the options of a further user where they are stricter. */
    private void applyStricter(Options options) {
        if (options.fullDurability() && !fullDurability) {
            fullDurability = true;
            writer.requireSync();
        }
        if (options.busyMillis() > busyMillis) {
            busyMillis = options.busyMillis();
            turn.busyMillis(busyMillis);
        }
    }

    /** Adds a user to a file that has at least one. */
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
     * Ends one use. Returns when the commands that were submitted before are done. The last use ends the threads and
     * closes the connections.
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
        } finally {
            forget();
        }
    }

    /** Closes the readers and allows the file to be opened again. Called when the writer has ended. */
    private void forget() {
        readers.close();
        LOCK.lock();
        try {
            OPEN.remove(path, this);
        } finally {
            LOCK.unlock();
        }
        closed.complete(null);
    }

    /** Checks that the file is in place. If it is not, the writer ends, and all further calls fail. */
    boolean checkPresent() {
        if (presence.check() == null) {
            return true;
        }
        writer.submit(0, Command.work(tx -> {}));
        return false;
    }

    FilePresence presence() {
        return presence;
    }

    Path path() {
        return path;
    }

    SqliteErrors errors() {
        return errors;
    }

    SignalHub signals() {
        return signals;
    }

    /** A storage clock on the clock of a factory that uses this file. */
    SteadyClock storageClock(JonoClock clock) {
        return housekeeping.storageClock(clock);
    }

    /** Lets counters expire from now on. Submits the creation of the table {@code stat_expiry}. */
    void expireStats() {
        writer.submit(1, Command.work(tx -> {
            StatsExpiry.prepare(tx);
            housekeeping.expireStats();
        }));
    }

    <R> CompletionStage<R> write(int weight, Command.Work<R> work) {
        return writer.submit(weight, work);
    }

    <R> CompletionStage<R> read(Executor executor, Readers.Query<R> reading) {
        return readers.read(executor, reading);
    }
}
