package dev.jono.spring.jdbc;

import dev.jono.Storage;
import dev.jono.spring.SharedStorage;
import dev.jono.support.postgres.PostgresStorage;
import java.util.List;
import javax.sql.DataSource;

/** The data source of the application, on PostgreSQL. */
final class SharedDataSource implements SharedStorage {
    private final DataSource dataSource;

    SharedDataSource(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public String name() {
        return "PostgreSQL";
    }

    @Override
    public List<String> backends() {
        return List.of("postgres", "keuss-postgres");
    }

    @Override
    public Storage storage() {
        return PostgresStorage.of(dataSource);
    }
}
