package dev.jono.backend.sqlite;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * A use of an open file by a module of Jono that has tables of its own in it. Its writes share the transactions, the durability and
 * the fair lock of the queues. Thread-safe.
 */
public interface SqliteFile extends AutoCloseable {
    /** Prepared statements of one connection; each text is prepared once. */
    interface Statements {
        /** Returns the statement of this text. The caller must neither keep nor close it. */
        PreparedStatement prepare(String sql) throws SQLException;
    }

    /**
     * A write in a transaction that it shares with other writes. It may run more than once; only the last run takes effect. If it
     * throws, it is rolled back alone.
     */
    interface Write<R> {
        /**
         * Does the work.
         *
         * @param nowMillis the storage time; it never goes back, over all processes
         */
        R run(Statements statements, long nowMillis) throws SQLException;
    }

    /** A read, in a transaction of its own. */
    interface Read<R> {
        /** Reads. */
        R run(Statements statements) throws SQLException;
    }

    /**
     * Writes. The result is complete when the write is durable. Fails with {@link dev.jono.QueueClosedException} after {@link
     * #close}.
     *
     * @param weight the approximate number of rows that it changes
     */
    <R> CompletionStage<R> write(int weight, Write<R> write);

    /** Reads on a thread of the executor. Fails with {@link dev.jono.QueueClosedException} after {@link #close}. */
    <R> CompletionStage<R> read(Executor executor, Read<R> read);

    /** The storage time, as this process knows it. */
    long nowMillis();

    /** Ends this use of the file, after the writes that were submitted before. */
    @Override
    void close();
}
