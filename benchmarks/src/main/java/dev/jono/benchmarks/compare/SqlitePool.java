package dev.jono.benchmarks.compare;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** Connections to a SQLite file with the same durability as Jono: WAL, {@code synchronous=FULL}. */
final class SqlitePool {
    private SqlitePool() {}

    /**
     * Opens a pool.
     *
     * @param connections the maximum number of connections
     */
    static HikariDataSource open(String file, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:sqlite:" + file
                + "?journal_mode=WAL&synchronous=FULL&busy_timeout=10000&transaction_mode=IMMEDIATE");
        config.setMaximumPoolSize(connections);
        return new HikariDataSource(config);
    }
}
