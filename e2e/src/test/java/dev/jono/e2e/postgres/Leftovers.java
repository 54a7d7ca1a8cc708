package dev.jono.e2e.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.testkit.server.PostgresServer;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/** What clients that are closed must not leave behind in a server. */
final class Leftovers {
    /** Tokens of calls stay for five minutes by design, so they are not among these. */
    private static final List<String> TABLES =
            List.of("message", "ordering_key", "promotion", "history", "job_reader", "stat_expiry");

    private static final String LOCKS = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'";
    private static final String CONNECTIONS =
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";

    private Leftovers() {}

    /** Checks that the schema {@code jono} holds no messages, and that no locks, transactions or connections are left. */
    static void assertNone(PostgresServer server) {
        Awaitility.await("connections to end")
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() ->
                        assertThat(server.query(CONNECTIONS)).as("connections").containsExactly("0"));
        assertThat(server.query(LOCKS)).as("locks").containsExactly("0");
        assertThat(server.query("SELECT gid FROM pg_prepared_xacts")).isEmpty();
        for (String table : TABLES) {
            assertThat(server.query("SELECT count(*) FROM jono." + table))
                    .as("rows of " + table)
                    .containsExactly("0");
        }
    }
}
