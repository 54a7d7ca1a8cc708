package dev.jono.e2e.postgres;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.jono.ConfigurationException;
import dev.jono.QueueFactory;
import dev.jono.QueueFactoryBuilder;
import dev.jono.support.postgres.PostgresStorage;
import org.junit.jupiter.api.Test;

class OtherDataSourceTest {
    @Test
    void dataSourceOfAnotherDatabaseIsRefused() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:sqlite::memory:");
        try (HikariDataSource source = new HikariDataSource(config)) {
            QueueFactoryBuilder builder = QueueFactory.builder("postgres:").storage(PostgresStorage.of(source));
            assertThatThrownBy(builder::connect)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("the DataSource is of SQLite, not of PostgreSQL");
        }
    }
}
