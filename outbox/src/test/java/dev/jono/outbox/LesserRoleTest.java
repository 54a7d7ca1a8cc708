package dev.jono.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Message;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.StorageException;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** An outbox in PostgreSQL, with a role that may not create tables. */
class LesserRoleTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    private final TestSchema schema = TestSchema.in(PostgresServer.sharedUrl());
    private final String role = schema.name() + "_role";
    private final QueueFactory jono = QueueFactory.builder("memory:")
            .queueOptions("mails", QueueOptions.builder().keyed().build())
            .connect();

    @BeforeEach
    void createRole() throws SQLException {
        execute("create schema " + schema.name() + "; create role " + role + "; grant usage on schema " + schema.name()
                + " to " + role);
    }

    @AfterEach
    void dropRole() throws SQLException {
        jono.close();
        schema.close();
        execute("drop role " + role);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(schema.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private PGSimpleDataSource database() {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(schema.jdbcUrl());
        database.setCurrentSchema(schema.name());
        return database;
    }

    private PGSimpleDataSource databaseOfRole() {
        PGSimpleDataSource database = database();
        database.setOptions("-c role=" + role);
        return database;
    }

    @Test
    void startsWithTheTablesOfAnotherRole() throws Exception {
        Outbox.on(database(), jono).start().close();
        String table = schema.name() + ".jono_outbox";
        // It need not insert rows that are there.
        execute("grant select, insert, update, delete on " + table + " to " + role + "; grant select, update on "
                + table + "_relay, " + table + "_key to " + role);

        PGSimpleDataSource ofRole = databaseOfRole();
        try (Outbox outbox = Outbox.on(ofRole, jono).start();
                Connection connection = ofRole.getConnection()) {
            connection.setAutoCommit(false);
            outbox.queue("mails", String.class)
                    .push(connection, "a", PushOptions.none().key("account-1"));
            connection.commit();
            assertThat(jono.queue("mails", String.class).pop(SOON).map(Message::payload))
                    .contains("a");
        }
    }

    @Test
    void reportsThatItCannotCreateTables() {
        assertThatThrownBy(() -> Outbox.on(databaseOfRole(), jono).start())
                .isInstanceOf(StorageException.class)
                .hasMessageContainingAll("creating the tables", "permission denied");
    }
}
