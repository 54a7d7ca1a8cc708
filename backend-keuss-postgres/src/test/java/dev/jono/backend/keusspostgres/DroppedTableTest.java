package dev.jono.backend.keusspostgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.spi.ClaimRequest;
import dev.jono.spi.DeleteRequest;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables that are dropped, and made anew, while a process uses them. */
class DroppedTableTest {
    private TestSchema schema;
    private RawBackend raw;

    @BeforeEach
    void open() {
        schema = TestSchema.in(PostgresServer.sharedUrl());
        raw = RawBackend.open(Fixture.url(schema.jdbcUrl(), schema.name()));
    }

    @AfterEach
    void close() {
        raw.close();
        schema.close();
    }

    private List<StoredMessage> take(ClaimRequest request) {
        return RawBackend.got(raw.store().take(request)).messages();
    }

    /** The reply of the first call may be lost: the message is in no other place. */
    @Test
    void takeThatIsRepeatedAfterADeleteFindsWhatItTook() {
        raw.insert("a");
        ClaimRequest request = RawBackend.claiming(1);
        assertThat(take(request)).hasSize(1);
        assertThat(RawBackend.got(raw.store().delete(DeleteRequest.builder().build()))
                        .deleted())
                .isTrue();
        assertThat(take(request)).hasSize(1);
        assertThat(take(RawBackend.claiming(1))).isEmpty();
    }

    @Test
    void tableThatKeussMakesAnewIsPreparedAgain() throws SQLException {
        raw.insert("a");
        assertThat(raw.claim(1).messages()).hasSize(1);
        String table = schema.name() + ".\"_k_tbl_orders\"";
        try (Connection connection = DriverManager.getConnection(schema.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE " + table);
            statement.execute("CREATE TABLE " + table + " (_id VARCHAR(64) PRIMARY KEY, _pl JSONB,"
                    + " mature TIMESTAMPTZ DEFAULT CURRENT_TIMESTAMP NOT NULL, tries INTEGER DEFAULT 0 NOT NULL,"
                    + " reserved TIMESTAMPTZ)");
        }
        raw.insert("b");
        assertThat(raw.claim(1).messages()).hasSize(1);
        RawBackend.got(
                raw.store().delete(DeleteRequest.builder().withMessages(true).build()));
        assertThat(raw.claim(1).messages()).isEmpty();
        raw.insert("c");
        assertThat(raw.take(1)).containsExactly("c");
    }
}
