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
 * A file, as this process has it open: once, whatever number of factories use it. The locks by which SQLite and
 * {@link WriteTurn} keep processes apart belong to the process, not to a thread or a factory, so there is one writer.
 */
final class SharedFile {
    private static final ReentrantLock LOCK = new ReentrantLock();
    /** By real path; guarded by LOCK. One that is being closed stays until it is closed. */
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
        this.writer = new Writer(this, opening.connection(), turn, housekeeping, clock);
    }

    /** Opens a file for one more user, who is to {@link #release} it. */
    static SharedFile open(Options options, JonoClock clock) {
        Path path = FileOpening.realPath(options.path());
        while (true) {
            SharedFile leaving;
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
                leaving = file;
            } finally {
                LOCK.unlock();
            }
            leaving.closed.join();
        }
    }

    /** What this process has open under a path, or under another path that leads to the same file. */
    private static @Nullable SharedFile find(Path path) {
        SharedFile known = OPEN.get(path);
        if (known != null || OPEN.isEmpty()) {
            return known;
        }
        return OPEN.values().stream()
                .filter(file -> file.presence.isDatabase(path))
                .findFirst()
                .orElse(null);
    }

    /** What a further user asks for beyond what there is: the file is kept as safely as any of them wants. */
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
        } finally {
            forget();
        }
    }

    /** The writer has ended: what this process has open of the file is closed, and may be opened anew. */
    void forget() {
        readers.close();
        LOCK.lock();
        try {
            OPEN.remove(path, this);
        } finally {
            LOCK.unlock();
        }
        closed.complete(null);
    }

    /** Whether the file is still there. If it is not, the writer ends, and all calls fail from now on. */
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

    /** A storage clock over the clock of a user of this file. */
    SteadyClock storageClock(JonoClock clock) {
        return housekeeping.storageClock(clock);
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

    <R> CompletionStage<R> read(Executor executor, Readers.Query<R> reading) {
        return readers.read(executor, reading);
    }
}
