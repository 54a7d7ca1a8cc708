package dev.jono.spring.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.jono.Storage;
import dev.jono.StorageException;
import dev.jono.spring.SharedStorage;
import dev.jono.support.postgres.PostgresStorage;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;

/** The data source of the application, if it is one of PostgreSQL. */
final class SharedDataSource implements SharedStorage {
    private static final String POSTGRESQL = "PostgreSQL";

    /** URLs that name their database. Others can hide it, such as those of drivers that wrap another driver. */
    private static final Pattern URL =
            Pattern.compile("jdbc:(postgresql|h2|hsqldb|derby|sqlite|mysql|mariadb|oracle|sqlserver|db2):");

    private final DataSource dataSource;

    SharedDataSource(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public String name() {
        return POSTGRESQL;
    }

    @Override
    public List<String> backends() {
        return List.of("postgres", "keuss-postgres");
    }

    @Override
    public @Nullable String refusal() {
        String database = database();
        return database.equalsIgnoreCase(POSTGRESQL)
                ? null
                : "the DataSource of the application is of " + database + ", not of " + POSTGRESQL;
    }

    /** By the URL of Spring Boot's default pool, without a connection. Otherwise the driver is asked. */
    private String database() {
        try {
            if (dataSource.isWrapperFor(HikariDataSource.class)) {
                String url = dataSource.unwrap(HikariDataSource.class).getJdbcUrl();
                Matcher named = URL.matcher(url == null ? "" : url);
                if (named.lookingAt()) {
                    return named.group(1);
                }
            }
            return JdbcUtils.extractDatabaseMetaData(dataSource, DatabaseMetaData::getDatabaseProductName);
        } catch (SQLException | MetaDataAccessException failure) {
            throw new StorageException(
                    "Jono cannot find out whether the DataSource of the application is of " + POSTGRESQL
                            + ". For a storage that is not this DataSource, set jono.url or jono.backend.",
                    null,
                    null,
                    failure);
        }
    }

    @Override
    public Storage storage() {
        return PostgresStorage.of(dataSource);
    }
}
