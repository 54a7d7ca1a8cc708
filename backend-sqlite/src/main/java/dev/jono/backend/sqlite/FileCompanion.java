package dev.jono.backend.sqlite;

import dev.jono.JonoClock;
import dev.jono.QueueClosedException;
import dev.jono.spi.SteadyClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/** A use of a {@link SharedFile} by another module of Jono. Closing it ends that use. Thread-safe. */
final class FileCompanion implements SqliteFile {
    private final SharedFile file;
    private final SteadyClock clock;
    private final AtomicBoolean closed = new AtomicBoolean();

    private FileCompanion(SharedFile file, JonoClock clock) {
        this.file = file;
        this.clock = file.storageClock(clock);
    }

    /** Uses a file that is open. */
    static SqliteFile open(SharedFile file, JonoClock clock) {
        file.retain();
        return new FileCompanion(file, clock);
    }

    @Override
    public <R> CompletionStage<R> write(int weight, Write<R> write) {
        if (closed.get()) {
            return CompletableFuture.failedFuture(closedFailure());
        }
        return file.write(weight, tx -> {
            long now = tx.now(clock);
            return write.run(tx.connection()::prepare, now);
        });
    }

    @Override
    public <R> CompletionStage<R> read(Executor executor, Read<R> read) {
        if (closed.get()) {
            return CompletableFuture.failedFuture(closedFailure());
        }
        return file.read(executor, connection -> read.run(connection::prepare));
    }

    private QueueClosedException closedFailure() {
        return new QueueClosedException(this + " is closed", null, null, null);
    }

    @Override
    public long nowMillis() {
        return clock.millis();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            file.release();
        }
    }

    @Override
    public String toString() {
        return "sqlite:" + file.path();
    }
}
