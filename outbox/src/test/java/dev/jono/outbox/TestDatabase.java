package dev.jono.outbox;

import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A kind of database in which an outbox can be. */
enum TestDatabase {
    SQLITE {
        @Override
        Opened open(Path folder) throws SQLException {
            String options = "?journal_mode=WAL&busy_timeout=10000&transaction_mode=IMMEDIATE";
            return new Opened("jdbc:sqlite:" + folder.resolve("data.db") + options, () -> {});
        }
    },
    H2 {
        @Override
        Opened open(Path folder) throws SQLException {
            return new Opened("jdbc:h2:" + folder.resolve("data"), () -> {});
        }
    },
    POSTGRESQL {
        @Override
        Opened open(Path folder) throws SQLException {
            TestSchema schema = TestSchema.in(PostgresServer.sharedUrl());
            Opened opened = new Opened(schema.jdbcUrl() + "&currentSchema=" + schema.name(), schema::close);
            try (Statement create = opened.kept.createStatement()) {
                create.executeUpdate("create schema " + schema.name());
            }
            return opened;
        }
    };

    abstract Opened open(Path folder) throws SQLException;

    /** A database whose connections can be made to fail. */
    static final class Opened implements DataSource, AutoCloseable {
        private final String url;
        /** Keeps the database open. */
        private final Connection kept;

        private final Runnable onClose;
        private final AtomicInteger failures = new AtomicInteger();
        private volatile String failing = "nothing";
        private final AtomicInteger left = new AtomicInteger();

        Opened(String url, Runnable onClose) throws SQLException {
            this.url = url;
            this.onClose = onClose;
            this.kept = DriverManager.getConnection(url);
        }

        /** Lets the next statements that begin so fail. */
        void failNext(String beginning, int times) {
            failing = beginning;
            left.set(times);
        }

        int failures() {
            return failures.get();
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection real = DriverManager.getConnection(url);
            return (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                        try {
                            Object result = method.invoke(real, arguments);
                            if (result instanceof PreparedStatement && fails((String) arguments[0])) {
                                throw new SQLException("the test refused it");
                            }
                            return result;
                        } catch (InvocationTargetException failed) {
                            throw Objects.requireNonNullElse(failed.getCause(), failed);
                        }
                    });
        }

        private boolean fails(String sql) {
            if (sql.startsWith(failing) && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                failures.incrementAndGet();
                return true;
            }
            return false;
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
        }

        @Override
        public void close() {
            try {
                kept.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
            onClose.run();
        }

        @Override
        public PrintWriter getLogWriter() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setLogWriter(PrintWriter out) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setLoginTimeout(int seconds) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int getLoginTimeout() {
            return 0;
        }

        @Override
        public Logger getParentLogger() throws SQLFeatureNotSupportedException {
            throw new SQLFeatureNotSupportedException();
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isWrapperFor(Class<?> type) {
            return false;
        }
    }
}
