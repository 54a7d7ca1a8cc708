package dev.jono.support.postgres;

import com.google.errorprone.annotations.concurrent.LazyInit;
import dev.jono.OtherStorageException;
import dev.jono.StorageException;
import dev.jono.Tx;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Runs steps in transactions of the application, which begins and ends them. Blocks the calling thread; thread-safe. */
public final class JoinedTransactions {
    /** Names the tables: another server, another database and another schema give another text. Never fails. */
    private static final String LOOK = "SELECT concat_ws('/', current_database(), pg_postmaster_start_time(),"
            + " (to_regclass('jono.queue'))::oid),"
            + " current_setting('transaction_isolation') IN ('read committed', 'read uncommitted')";

    private final PostgresLink link;

    /** The tables of the link, by the last look; a restart of the server changes it. */
    @LazyInit
    private volatile @Nullable String own;

    /** Transactions on the database of a link. */
    public JoinedTransactions(PostgresLink link) {
        this.link = link;
    }

    /**
     * Runs steps in a transaction.
     *
     * @param step the step for error messages, such as {@code push}
     * @param queue the queue for error messages
     * @throws OtherStorageException if it is a transaction on another storage
     * @throws IllegalArgumentException if no transaction is open, or the work does not allow its isolation
     * @throws StorageException if PostgreSQL refused the steps
     */
    public <R> R run(String step, String queue, Tx tx, SqlWork<R> work) {
        String what = step + " on queue '" + queue + "' in a transaction: ";
        if (!(tx instanceof PostgresTx joined)) {
            String found = tx.getClass().getName();
            throw new OtherStorageException(
                    what + "the queue is in PostgreSQL, which needs a PostgresTx, and not a " + found, queue, null);
        }
        Connection connection = joined.connection();
        try {
            if (connection.getAutoCommit()) {
                throw new IllegalArgumentException(what + "the connection is in autocommit mode, so it has no"
                        + " transaction; call setAutoCommit(false)");
            }
            // Any statement that another kind of database does not know would end the transaction there.
            String product = connection.getMetaData().getDatabaseProductName();
            if (!product.equals(PostgresSchema.PRODUCT)) {
                throw new OtherStorageException(
                        what + "its connection is to " + product + ", and the queue is in PostgreSQL", queue, null);
            }
            Found found = look(link.within(connection));
            requireSameTables(what, queue, found.tables);
            return work.run(link.within(connection, found.current));
        } catch (SQLException failure) {
            throw PostgresErrors.notDone(step, queue, failure);
        }
    }

    private void requireSameTables(String what, String queue, String found) {
        if (found.equals(own)) {
            return;
        }
        String now = link.single("looking for the tables", queue, false, statements -> look(statements).tables);
        own = now;
        if (!found.equals(now)) {
            throw new OtherStorageException(
                    what + "its connection is to another database, or to one without " + link, queue, null);
        }
    }

    /**
     * What a transaction sees.
     *
     * @param tables names the tables
     * @param current whether it sees what others commit meanwhile
     */
    private record Found(String tables, boolean current) {}

    private static Found look(SqlTransaction statements) throws SQLException {
        try (PreparedStatement select = statements.prepare(LOOK);
                ResultSet row = select.executeQuery()) {
            row.next();
            return new Found(row.getString(1), row.getBoolean(2));
        }
    }
}
