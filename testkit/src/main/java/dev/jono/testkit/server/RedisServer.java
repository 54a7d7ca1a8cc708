package dev.jono.testkit.server;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A {@code redis-server} that one test owns, without persistence unless an option says otherwise. Not thread-safe,
 * except {@link #call}.
 */
public final class RedisServer extends TestServer {
    private static final ServerBinary BINARY = ServerBinary.named("redis-server");
    private static final SharedServer<String> SHARED = new SharedServer<>(RedisServer::findOrStart);

    private final int tlsPort;
    private final @Nullable String password;

    private RedisServer(Builder with, List<String> command, Path folder, int port, int tlsPort) {
        super("redis-server", command, folder, port);
        this.tlsPort = tlsPort;
        this.password = with.password;
    }

    /** A builder, to set options. */
    public static Builder builder() {
        return new Builder();
    }

    /** Starts a server with default options. */
    public static RedisServer start() {
        return builder().start();
    }

    /**
     * The URI of a Redis that the tests of this JVM share. Tests must not stop it or empty it. It is the server that
     * the environment variable {@code JONO_TEST_REDIS} names, otherwise a server that is started here, otherwise a
     * container if Testcontainers is on the class path.
     *
     * @throws org.opentest4j.TestAbortedException if there is none, so that the test is skipped with the reason
     */
    public static String sharedUri() {
        return SHARED.get();
    }

    private static String findOrStart() {
        String explicit = System.getenv("JONO_TEST_REDIS");
        if (explicit != null && !explicit.isEmpty()) {
            return explicit;
        }
        return BINARY.find().isPresent()
                ? start().uri()
                : DockerRedis.startShared().uri();
    }

    @Override
    Duration startTimeout() {
        return Duration.ofSeconds(30);
    }

    /** Compares process ids, because another process may have taken the port. */
    @Override
    boolean isReady() {
        try {
            Object reply = send("INFO"); // Redis answers INFO while it loads its data
            if (reply instanceof RedisWire.ErrorReply error) {
                return !error.text().startsWith("LOADING");
            }
            String info = String.valueOf(reply);
            return info.contains("process_id:" + pid()) && !info.contains("loading:1");
        } catch (IOException notYet) {
            return false;
        }
    }

    /** The port for TLS, or 0 without {@link Builder#tls}. It stays the same over restarts. */
    public int tlsPort() {
        return tlsPort;
    }

    /** {@code redis://[:password@]host:port}. */
    public String uri() {
        return "redis://" + (password == null ? "" : ":" + password + "@") + address();
    }

    /**
     * Sends one command over a connection of its own, as the default user.
     *
     * @return a String, a Long, a List of such, or null
     * @throws IllegalStateException with the server's text if it answers with an error
     */
    @CanIgnoreReturnValue
    public @Nullable Object call(String... command) {
        try {
            Object reply = send(command);
            if (reply instanceof RedisWire.ErrorReply error) {
                throw new IllegalStateException(String.join(" ", command) + ": " + error.text());
            }
            return reply;
        } catch (IOException e) {
            throw new UncheckedIOException("redis-server on port " + port() + " does not answer", e);
        }
    }

    /** As {@link #call}, for commands that answer with a list. */
    public List<?> callForList(String... command) {
        if (call(command) instanceof List<?> list) {
            return list;
        }
        throw new IllegalStateException(String.join(" ", command) + ": the answer is no list");
    }

    private @Nullable Object send(String... command) throws IOException {
        try (RedisWire wire = new RedisWire(host(), port())) {
            if (password != null && wire.call("AUTH", password) instanceof RedisWire.ErrorReply error) {
                return error;
            }
            return wire.call(command);
        }
    }

    /** A field of {@code INFO}, such as {@code role}; empty if there is none. */
    public String info(String field) {
        return String.valueOf(call("INFO", "everything"))
                .lines()
                .filter(line -> line.startsWith(field + ":"))
                .map(line -> line.substring(field.length() + 1))
                .findFirst()
                .orElse("");
    }

    /** Builds a {@link RedisServer}. Not thread-safe. */
    public static final class Builder {
        private final Map<String, String> options = new LinkedHashMap<>();
        private final List<String> arguments = new ArrayList<>();
        private List<String> users = List.of();
        private @Nullable String password;
        private boolean tls;

        private Builder() {
            option("bind", "127.0.0.1");
            option("save", "\"\"");
            option("daemonize", "no");
        }

        /** Sets a line of {@code redis.conf}. Replaces an earlier line of the same name. */
        public Builder option(String name, String value) {
            options.put(name, value);
            return this;
        }

        /** Sets the password of the default user, by {@code requirepass}. */
        public Builder password(String value) {
            this.password = value;
            return option("requirepass", value);
        }

        /**
         * Opens a second port for TLS, {@link RedisServer#tlsPort}. Clients need no certificate.
         *
         * @param certificate of the server, PEM
         * @param key of the certificate, PEM
         */
        public Builder tls(Path certificate, Path key) {
            this.tls = true;
            return option("tls-cert-file", certificate.toString())
                    .option("tls-key-file", key.toString())
                    .option("tls-ca-cert-file", certificate.toString())
                    .option("tls-auth-clients", "no");
        }

        /** Adds users to the default one, as lines of an ACL file: {@code user NAME on >PASSWORD …}. */
        public Builder users(String... lines) {
            this.users = List.of(lines);
            return this;
        }

        /** Makes the server a replica. */
        public Builder replicaOf(RedisServer primary) {
            return option("replicaof", primary.host() + " " + primary.port());
        }

        /** Adds an argument after the configuration file, such as {@code --sentinel}. */
        Builder argument(String value) {
            arguments.add(value);
            return this;
        }

        private String config(int port, int tlsPort, Path folder) throws IOException {
            StringBuilder text = new StringBuilder("port " + port + "\ndir " + folder + "\n");
            if (tls) {
                text.append("tls-port ").append(tlsPort).append('\n');
            }
            options.forEach(
                    (name, value) -> text.append(name).append(' ').append(value).append('\n'));
            if (options.getOrDefault("cluster-enabled", "no").equals("yes")) {
                // The default is the port plus 10000, which another process may use.
                text.append("cluster-port ").append(Ports.free()).append('\n');
            }
            if (!users.isEmpty()) {
                List<String> lines = new ArrayList<>(users);
                lines.add("user default on " + (password == null ? "nopass" : ">" + password) + " ~* &* +@all");
                Files.write(folder.resolve("users.acl"), lines);
                text.append("aclfile ").append(folder.resolve("users.acl")).append('\n');
                if (password != null) {
                    // Redis refuses requirepass together with an ACL file.
                    return text.toString().replace("requirepass " + password + "\n", "");
                }
            }
            return text.toString();
        }

        /**
         * Starts the server, and waits until it answers.
         *
         * @throws org.opentest4j.TestAbortedException if there is no {@code redis-server}, so that the test is skipped
         */
        public RedisServer start() {
            BINARY.require();
            return TestServer.start(this::create);
        }

        private RedisServer create() {
            try {
                Path folder = ServerFolder.create("jono-redis-");
                Path config = folder.resolve("redis.conf");
                int port = Ports.free();
                int tlsPort = tls ? Ports.free() : 0;
                Files.writeString(config, config(port, tlsPort, folder));
                List<String> command = new ArrayList<>(List.of(BINARY.require().toString(), config.toString()));
                command.addAll(arguments);
                return new RedisServer(this, command, folder, port, tlsPort);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write a configuration for redis-server", e);
            }
        }
    }
}
