package dev.jono.backend.sqlite;

import dev.jono.OtherStorageException;
import dev.jono.StorageException;
import dev.jono.Tx;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import java.nio.file.Path;
import java.sql.SQLException;

/** Inserts into one queue in transactions of the application, on its connection. Blocks the calling thread; thread-safe. */
final class TransactionInserts {
    private static final String PRODUCT = "SQLite";

    /** Changes nothing, but a statement that writes gets the lock. */
    private static final String LOCK = "UPDATE queue SET name=name WHERE 0";

    private final SharedFile file;
    private final QueueView view;

    TransactionInserts(SharedFile file, QueueView view) {
        this.file = file;
        this.view = view;
    }

    InsertResult insert(Tx tx, InsertRequest request) {
        if (!(tx instanceof SqliteTx own)) {
            throw new OtherStorageException(
                    "push to queue '" + view.queue() + "' in a " + tx.getClass().getName()
                            + ": the queue is in a SQLite file, which needs a SqliteTx",
                    view.queue(),
                    null);
        }
        SqliteConnection connection = SqliteConnection.borrow(own.connection());
        try {
            requireOpen(own);
            requireSameFile(own, connection);
            // If the first statement only read, a write of another process after it would end the transaction.
            connection.execute(LOCK);
            Transaction joined = Transaction.joined(connection);
            KeySetting.require(joined, view);
            return Inserts.insert(joined, view, request);
        } catch (SQLException failure) {
            throw new StorageException(
                    "push on queue '" + view.queue() + "' in a transaction failed: "
                            + file.errors().notApplied(failure).getMessage(),
                    view.queue(),
                    null,
                    failure);
        } finally {
            connection.closeStatements();
        }
    }

    private void requireOpen(SqliteTx tx) throws SQLException {
        if (tx.connection().getAutoCommit()) {
            throw new IllegalArgumentException("push to queue '" + view.queue()
                    + "' in a transaction: the connection is in autocommit mode, so it has no transaction; call"
                    + " setAutoCommit(false)");
        }
    }

    private void requireSameFile(SqliteTx tx, SqliteConnection connection) throws SQLException {
        // Any statement that another kind of database does not know would end the transaction there.
        String product = tx.connection().getMetaData().getDatabaseProductName();
        String other = product.equals(PRODUCT) ? connection.mainFile() : product;
        if (other.isEmpty() || !product.equals(PRODUCT) || !file.presence().isDatabase(Path.of(other))) {
            throw new OtherStorageException(
                    "push to queue '" + view.queue()
                            + "' in a transaction: the connection is to " + (other.isEmpty() ? "no file" : other)
                            + ", and the queue is in " + file.path(),
                    view.queue(),
                    null);
        }
    }
}
