package dev.jono.backend.keusspostgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads the rows that keuss 2.0.6 has stored. */
class GoldenTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MATURE = "2026-01-02 03:04:05.678+00";

    private TestSchema schema;
    private RawBackend raw;
    private JsonNode fixture;

    @BeforeEach
    void open() throws IOException {
        schema = TestSchema.in(PostgresServer.sharedUrl());
        raw = RawBackend.open(Fixture.url(schema.jdbcUrl(), schema.name()));
        try (InputStream in = GoldenTest.class.getResourceAsStream("/keuss/fixtures/postgres.json")) {
            fixture = JSON.readTree(in);
        }
    }

    @AfterEach
    void close() {
        raw.close();
        schema.close();
    }

    /** Creates the table as keuss does, and stores one of its rows, which is due. */
    private void store(JsonNode row) throws SQLException {
        String table = schema.name() + ".\"_k_tbl_orders\"";
        try (Connection connection = DriverManager.getConnection(schema.jdbcUrl());
                Statement create = connection.createStatement();
                PreparedStatement insert = connection.prepareStatement(
                        "INSERT INTO " + table + " VALUES (?, ?::jsonb, ?::timestamptz, ?, ?::timestamptz)")) {
            create.execute("CREATE TABLE IF NOT EXISTS " + table + " (_id VARCHAR(64) PRIMARY KEY, _pl JSONB,"
                    + " mature TIMESTAMPTZ DEFAULT CURRENT_TIMESTAMP NOT NULL, tries INTEGER DEFAULT 0 NOT NULL,"
                    + " reserved TIMESTAMPTZ)");
            insert.setString(1, row.get("_id").asText());
            insert.setString(2, row.get("_pl").isNull() ? null : row.get("_pl").asText());
            insert.setString(3, MATURE);
            insert.setInt(4, row.get("tries").asInt());
            insert.setString(
                    5, row.get("reserved").isNull() ? null : row.get("reserved").asText());
            insert.executeUpdate();
        }
    }

    private StoredMessage claimOne() {
        return raw.claim(5).messages().get(0);
    }

    private static EncodedPayload payload(JsonNode pl) throws IOException {
        JsonNode payload = pl.get("payload");
        if (pl.path("type").asText().equals("buffer")) {
            return EncodedPayload.of(PayloadKind.BYTES, Base64.getDecoder().decode(payload.asText()));
        }
        return payload.isTextual()
                ? EncodedPayload.of(PayloadKind.STRING, payload.asText().getBytes(StandardCharsets.UTF_8))
                : EncodedPayload.of(PayloadKind.JSON, JSON.writeValueAsBytes(payload));
    }

    @Test
    void readsEachKindOfPayload() throws Exception {
        for (JsonNode kind : fixture.get("kinds")) {
            JsonNode stored = kind.get("stored");
            store(stored);
            StoredMessage claimed = claimOne();
            assertThat(claimed.payload())
                    .as(kind.get("kind").asText())
                    .isEqualTo(payload(JSON.readTree(stored.get("_pl").asText())));
            assertThat(claimed.id()).isEqualTo(stored.get("_id").asText());
            assertThat(claimed.dueMillis()).isEqualTo(1_767_323_045_678L);
            assertThat(claimed.pushedMillis()).isZero();
            assertThat(claimed.tries()).isZero();
            assertThat(claimed.expired()).isFalse();
            if (kind.get("kind").asText().equals("object")) {
                assertThat(claimed.headers().asMap())
                        .isEqualTo(Map.of("h1", "aaa", "h2", 12L, "h3", false, "h4", 12.34));
            }
            assertThat(RawBackend.got(raw.store().ack(RawBackend.acking(claimed)))
                            .outcomes())
                    .containsExactly(Outcome.DONE);
        }
    }

    @Test
    void countsTheReservationsOfKeuss() throws Exception {
        for (JsonNode step : fixture.get("operations")) {
            for (JsonNode row : step.get("rows_after")) {
                store(row);
                StoredMessage claimed = claimOne();
                assertThat(claimed.tries()).isEqualTo(row.get("tries").asInt());
                assertThat(claimed.expired()).isEqualTo(!row.get("reserved").isNull());
                RawBackend.got(raw.store().ack(RawBackend.acking(claimed)));
            }
        }
    }

    /** Rows that another program has written: consumers must be able to settle them. */
    @Test
    void rowThatIsNoMessageIsSettledLikeAnyOther() throws Exception {
        for (String pl : new String[] {null, "null", "[1]", "\"x\"", "{}", "{\"hdrs\":5}", "{\"hdrs\":{\"n\":1e30}}"}) {
            store(JSON.createObjectNode()
                    .put("_id", "not a UUID")
                    .put("_pl", pl)
                    .put("tries", 0)
                    .putNull("reserved"));
            StoredMessage claimed = claimOne();
            assertThat(claimed.id()).isEqualTo("not a UUID");
            assertThat(claimed.fault() == null)
                    .as("%s is sound", pl)
                    .isEqualTo("{}".equals(pl) || "{\"hdrs\":5}".equals(pl));
            assertThat(RawBackend.got(raw.store().ack(RawBackend.acking(claimed)))
                            .outcomes())
                    .containsExactly(Outcome.DONE);
        }
    }
}
