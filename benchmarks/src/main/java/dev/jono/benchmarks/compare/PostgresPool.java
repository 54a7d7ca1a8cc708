package dev.jono.benchmarks.compare;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** Connections to PostgreSQL. */
final class PostgresPool {
    private PostgresPool() {}

    /**
     * Opens a pool.
     *
     * @param url a JDBC URL
     * @param connections the maximum number of connections
     */
    static HikariDataSource open(String url, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(connections);
        return new HikariDataSource(config);
    }
}
