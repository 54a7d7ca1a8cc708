package dev.jono.backend.keusspostgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.StorageException;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.PostgresServer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A table that belongs to the role of keuss, and the rights that docs/backends/keuss-postgres.md lists. */
class RightsTest {
    private static final String KEUSS_TABLE = "CREATE TABLE \"_k_tbl_orders\" (_id VARCHAR(64) PRIMARY KEY, _pl JSONB,"
            + " mature TIMESTAMPTZ DEFAULT CURRENT_TIMESTAMP NOT NULL, tries INTEGER DEFAULT 0 NOT NULL,"
            + " reserved TIMESTAMPTZ)";

    private PostgresServer server;

    @BeforeEach
    void start() {
        server = PostgresServer.start();
        server.query(
                "CREATE ROLE keuss LOGIN; CREATE ROLE app LOGIN; GRANT USAGE, CREATE ON SCHEMA public TO keuss, app");
        server.query("ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC");
        open("postgres").close();
        server.query("GRANT USAGE ON SCHEMA jono TO app;"
                + " GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA jono TO app;"
                + " GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA jono TO app;"
                + " GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA jono TO app");
        server.query("SET ROLE keuss; " + KEUSS_TABLE);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private RawBackend open(String user) {
        return RawBackend.open("keuss-postgres:" + server.url(user));
    }

    @Test
    void tableWithoutRightsFailsAndIsNotListed() {
        try (RawBackend raw = open("app")) {
            assertThatThrownBy(() -> raw.insert("a"))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("permission denied for table _k_tbl_orders");
            assertThat(RawBackend.got(raw.backend().queues())).isEmpty();
        }
    }

    @Test
    void reservationsNeedWhatTheOwnerMustAdd() {
        server.query("GRANT SELECT, INSERT, UPDATE, DELETE ON \"_k_tbl_orders\" TO app");
        String missing = "its owner must run: ";
        try (RawBackend raw = open("app")) {
            raw.insert("a", "b", "c");
            assertThat(raw.take(1)).containsExactly("a");
            assertThat(RawBackend.got(raw.backend().queues())).isEqualTo(List.of("orders"));
            assertThatThrownBy(() -> raw.claim(1))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining(missing)
                    .satisfies(failure -> {
                        String text = String.valueOf(failure.getMessage());
                        server.query("SET ROLE keuss; " + text.substring(text.indexOf(missing) + missing.length()));
                    });
            assertThat(raw.claim(1).messages()).hasSize(1);
            assertThat(raw.take(5)).containsExactly("c");
        }
    }

    @Test
    void withoutCreationNothingIsChanged() {
        server.query("GRANT ALL ON \"_k_tbl_orders\" TO app");
        try (RawBackend raw = RawBackend.open("keuss-postgres:" + server.url() + "&jono.create=false")) {
            raw.insert("a");
            assertThatThrownBy(() -> raw.claim(1)).hasMessageContaining("jono.create=false");
            assertThatThrownBy(() ->
                            RawBackend.got(raw.queue("another").insert(RawBackend.inserting(RawBackend.message("a")))))
                    .hasMessageContaining("there is no table \"public\".\"_k_tbl_another\"");
        }
    }
}
