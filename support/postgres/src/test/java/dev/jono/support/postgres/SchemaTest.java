package dev.jono.support.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.ConfigurationException;
import dev.jono.StorageException;
import dev.jono.testkit.PluginConfigs;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The tables are created once, and only by a role that may. */
class SchemaTest {
    private TestSchema schema;

    @BeforeEach
    void nameSchema() {
        schema = TestSchema.in(PostgresServer.sharedUrl());
    }

    @AfterEach
    void dropSchema() {
        schema.close();
    }

    private PostgresLink open(String options) {
        return PostgresLink.open(
                PluginConfigs.builder(schema.jonoUrl() + options).build(), Set.of());
    }

    @Test
    void processesThatStartTogetherCreateItOnce() {
        List<CompletableFuture<PostgresLink>> links = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            links.add(CompletableFuture.supplyAsync(() -> open("")));
        }
        links.forEach(link -> link.join().close());
    }

    @Test
    void missingTablesAreAnErrorIfTheyMustNotBeCreated() {
        assertThatThrownBy(() -> open("&jono.create=false"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("jono schema postgres --schema=" + schema.name());
        open("").close();
        open("&jono.create=false").close();
    }

    @Test
    void tablesOfAnotherApplicationAreRefused() throws Exception {
        try (Connection connection = DriverManager.getConnection(schema.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA " + schema.name() + "; CREATE TABLE " + schema.name() + ".job (id int)");
        }
        assertThatThrownBy(() -> open(""))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll(schema.name(), "job", "jono.schema");
    }

    @Test
    void readOnlyConnectionIsNotTakenForAStandby() {
        open("").close();
        try (PostgresLink link = open("&options=-c%20default_transaction_read_only=on")) {
            assertThatThrownBy(() -> link.transaction("test", null, tx -> {
                        try (PreparedStatement delete = tx.prepare("DELETE FROM jono.meta")) {
                            return delete.executeUpdate();
                        }
                    }))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContainingAll("standby", "or the connection, its role or its database is read-only");
        }
    }

    @Test
    void newerTablesAreRefused() {
        try (PostgresLink link = open("")) {
            link.transaction("test", null, tx -> {
                try (PreparedStatement update = tx.prepare("UPDATE jono.meta SET value = value + 1")) {
                    return update.executeUpdate();
                }
            });
        }
        assertThatThrownBy(() -> open(""))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("newer");
    }

    @Test
    void dataSourceOfTheApplicationStaysOpen() throws Exception {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(schema.jdbcUrl());
        var config = PluginConfigs.builder("postgres:?jono.schema=" + schema.name())
                .storage(PostgresStorage.of(source))
                .build();
        try (PostgresLink link = PostgresLink.open(config, Set.of());
                PostgresLink second = link.share()) {
            assertThat(second.options().schema()).isEqualTo(schema.name());
            assertThat(link.<Long>single("test", null, false, SqlTransaction::nowMillis))
                    .isPositive();
        }
        source.getConnection().close();
        assertThatThrownBy(() -> PostgresLink.open(
                        PluginConfigs.builder(schema.jonoUrl())
                                .storage(PostgresStorage.of(source))
                                .build(),
                        Set.of()))
                .isInstanceOf(ConfigurationException.class);
    }
}
