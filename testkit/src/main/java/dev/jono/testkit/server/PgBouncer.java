package dev.jono.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A PgBouncer in front of a {@link PostgresServer}. It lets every client in, as the superuser. Not thread-safe. */
public final class PgBouncer extends TestServer {
    private static final ServerBinary BINARY = ServerBinary.named("pgbouncer");
    private static final String CONFIG = "pgbouncer.ini";
    private static final String USER = "postgres";

    private PgBouncer(List<String> command, Path folder, int port) {
        super("pgbouncer", command, folder, port);
    }

    /**
     * Starts a pooler, and waits until a client reaches the server through it.
     *
     * @param mode {@code session} or {@code transaction}
     * @param options further lines of the section {@code pgbouncer} in its configuration, such as {@code default_pool_size=5}
     * @throws org.opentest4j.TestAbortedException if there is no {@code pgbouncer}, so that the test is skipped
     */
    public static PgBouncer start(PostgresServer server, String mode, String... options) {
        return TestServer.start(() -> create(server, mode, List.of(options)));
    }

    private static PgBouncer create(PostgresServer server, String mode, List<String> options) {
        try {
            Path program = BINARY.require().toRealPath();
            Path folder = ServerFolder.create("jono-pgbouncer-");
            PostgresInstallation.handOver(folder);
            int port = Ports.free();
            List<String> lines = new ArrayList<>();
            lines.add("[databases]");
            lines.add(database(folder) + " = host=" + server.host() + " port=" + server.port()
                    + " dbname=postgres user=" + USER);
            lines.add("[pgbouncer]");
            lines.addAll(List.of("listen_addr=127.0.0.1", "listen_port=" + port, "unix_socket_dir=", "auth_type=any"));
            lines.addAll(List.of("pool_mode=" + mode, "max_client_conn=1000", "server_login_retry=1"));
            lines.addAll(options);
            Path config = folder.resolve(CONFIG);
            Files.write(config, lines);
            List<String> command = PostgresInstallation.unprivileged(program);
            command.add(config.toString());
            return new PgBouncer(command, folder, port);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot configure pgbouncer", e);
        }
    }

    /** The name of the database that clients see. It names this process, because another one may have taken the port. */
    private static String database(Path folder) {
        return folder.getFileName().toString();
    }

    @Override
    Duration startTimeout() {
        return Duration.ofSeconds(30);
    }

    @Override
    boolean isReady() {
        try (PostgresWire wire = new PostgresWire(host(), port(), USER, database(folder()))) {
            return wire.query("SELECT 1").contains("1");
        } catch (IOException notYet) {
            return false;
        }
    }

    /** {@code jdbc:postgresql://host:port/database?user=postgres}. */
    public String url() {
        return "jdbc:postgresql://" + address() + "/" + database(folder()) + "?user=" + USER;
    }
}
