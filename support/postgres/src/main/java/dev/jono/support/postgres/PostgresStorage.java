package dev.jono.support.postgres;

import dev.jono.Storage;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * An application's own {@code DataSource}, for {@code QueueFactoryBuilder.storage}. Jono never closes it. The URL then has
 * only the type and Jono's options: {@code postgres:} or {@code postgres:?jono.schema=queues}.
 *
 * @apiNote A pool is expected: Jono takes a connection for each call. The signaller keeps one connection for itself, so the
 *     pool needs one more than the calls that run at one time. Its connections must be those of PostgreSQL's JDBC driver, or
 *     wrap them.
 */
public final class PostgresStorage implements Storage {
    private final DataSource dataSource;

    private PostgresStorage(DataSource dataSource) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
    }

    /** A storage that takes its connections from this source. */
    public static PostgresStorage of(DataSource dataSource) {
        return new PostgresStorage(dataSource);
    }

    DataSource dataSource() {
        return dataSource;
    }
}
