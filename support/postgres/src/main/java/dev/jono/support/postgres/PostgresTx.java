package dev.jono.support.postgres;

import dev.jono.Tx;
import java.sql.Connection;
import java.util.Objects;

/**
 * A JDBC transaction of the application on the PostgreSQL database that holds the queues, for {@link dev.jono.PushOptions#in}.
 *
 * <pre>{@code
 * connection.setAutoCommit(false);
 * orders.insert(connection, order);
 * PostgresTx tx = PostgresTx.of(connection);
 * mails.push(order.mail(), PushOptions.none().in(tx));
 * connection.commit();
 * tx.committed();
 * }</pre>
 *
 * <p>A push that fails leaves the transaction aborted, as every failed statement does in PostgreSQL.
 */
public final class PostgresTx extends Tx {
    private final Connection connection;

    private PostgresTx(Connection connection) {
        this.connection = Objects.requireNonNull(connection, "connection");
    }

    /** The transaction that is open on a connection, which is not in autocommit mode. A pool's connection does too. */
    public static PostgresTx of(Connection connection) {
        return new PostgresTx(connection);
    }

    Connection connection() {
        return connection;
    }
}
