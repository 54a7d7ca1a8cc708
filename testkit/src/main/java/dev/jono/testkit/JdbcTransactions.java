package dev.jono.testkit;

import dev.jono.Tx;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.function.Function;

/** Transactions of an application that uses the storage by JDBC. */
public final class JdbcTransactions implements TestTransactions {
    private final String url;
    private final Function<Connection, Tx> tx;

    /**
     * Transactions on connections of their own.
     *
     * @param url the JDBC URL
     * @param tx makes what a push gets, such as {@code SqliteTx::of}
     */
    public JdbcTransactions(String url, Function<Connection, Tx> tx) {
        this.url = url;
        this.tx = tx;
    }

    /** SQLite has one writer at a time. */
    @Override
    public boolean blocksOthers() {
        return url.startsWith("jdbc:sqlite:");
    }

    @Override
    public Open begin() {
        try {
            Connection connection = DriverManager.getConnection(url);
            connection.setAutoCommit(false);
            return new Begun(connection, tx.apply(connection));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private record Begun(Connection connection, Tx tx) implements Open {
        private interface Step {
            void run() throws SQLException;
        }

        private static void run(Step step) {
            try {
                step.run();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void commit() {
            run(connection::commit);
        }

        @Override
        public void rollback() {
            run(connection::rollback);
        }

        @Override
        public void close() {
            run(connection::close);
        }
    }
}
