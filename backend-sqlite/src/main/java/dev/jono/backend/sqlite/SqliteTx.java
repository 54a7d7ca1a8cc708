package dev.jono.backend.sqlite;

import dev.jono.Tx;
import java.sql.Connection;
import java.util.Objects;

/**
 * A JDBC transaction of the application on the SQLite file that holds the queues, for {@link dev.jono.PushOptions#in}. The
 * application's tables are in the same file.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * orders.insert(connection, order);
 * SqliteTx tx = SqliteTx.of(connection);
 * mails.push(order.mail(), PushOptions.none().in(tx));
 * connection.commit();
 * tx.committed();
 * }</pre>
 *
 * <p>SQLite has one writer at a time: from the first write of the transaction to its end, all calls that change a queue of the
 * file wait, in this process and in others, for as long as the option {@code jono.busy} says. So keep it short. A transaction
 * that reads before it writes can be refused; begin it as {@code IMMEDIATE} (the driver's option {@code transaction_mode}).
 */
public final class SqliteTx extends Tx {
    private final Connection connection;

    private SqliteTx(Connection connection) {
        this.connection = Objects.requireNonNull(connection, "connection");
    }

    /** The transaction that is open on a connection, which is not in autocommit mode. A pool's connection does too. */
    public static SqliteTx of(Connection connection) {
        return new SqliteTx(connection);
    }

    Connection connection() {
        return connection;
    }
}
