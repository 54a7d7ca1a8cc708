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
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A {@code redis-server} of this test's own, on a free port of the loopback address and in a temporary folder; without
 * persistence unless an option says otherwise. It ends when it is closed, and with this JVM. Not thread-safe, except
 * {@link #call}.
 */
public final class RedisServer implements AutoCloseable {
    private static final ServerBinary BINARY = ServerBinary.named("redis-server");
    private static final Duration START = Duration.ofSeconds(30);

    private final List<String> arguments;
    private final Path folder;
    private final Path config;
    private final int port;
    private final int tlsPort;
    private final @Nullable String password;
    private ServerProcess process;

    private RedisServer(Builder with, int port, Path folder) throws IOException {
        this.arguments = List.copyOf(with.arguments);
        this.folder = folder;
        this.config = folder.resolve("redis.conf");
        this.port = port;
        this.tlsPort = with.tls ? Ports.free() : 0;
        this.password = with.password;
        Files.writeString(config, with.config(port, tlsPort, folder));
        this.process = launch();
    }

    /** A builder for one with options. */
    public static Builder builder() {
        return new Builder();
    }

    /** Starts one with defaults. */
    public static RedisServer start() {
        return builder().start();
    }

    /**
     * The URI of a Redis that tests of this JVM share, and neither stop nor empty: the one that the environment's
     * {@code JONO_TEST_REDIS} names, else one started here, else one in Docker if Testcontainers is on the class path.
     *
     * @throws org.opentest4j.TestAbortedException if there is none, so that the test is skipped with the reason
     */
    public static String sharedUri() {
        return SharedRedis.NODE.uri();
    }

    private ServerProcess launch() {
        List<String> command = new ArrayList<>();
        command.add(BINARY.require().toString());
        command.add(config.toString());
        command.addAll(arguments);
        return ServerProcess.start(command, folder, folder.resolve("log"));
    }

    private void awaitReady() {
        Awaitility.await("redis-server on port " + port)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(START)
                .until(() -> !process.isAlive() || isReady());
        if (!process.isAlive()) {
            throw new IllegalStateException("redis-server ended at once: " + process.lastLines());
        }
    }

    /** That it answers, and is ours: somebody else may have been faster on the port. */
    private boolean isReady() {
        try {
            Object reply = send("INFO"); // which it answers while it loads its data, too
            if (reply instanceof RedisWire.ErrorReply error) {
                return !error.text().startsWith("LOADING");
            }
            String info = String.valueOf(reply);
            return info.contains("process_id:" + process.pid()) && !info.contains("loading:1");
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Its host. */
    public String host() {
        return "127.0.0.1";
    }

    /** Its port; the same over restarts. */
    public int port() {
        return port;
    }

    /** Its port for TLS; the same over restarts; 0 without {@link Builder#tls}. */
    public int tlsPort() {
        return tlsPort;
    }

    /** Where it listens, {@code host:port}. */
    public String address() {
        return host() + ":" + port;
    }

    /** {@code redis://[:password@]host:port}. */
    public String uri() {
        return "redis://" + (password == null ? "" : ":" + password + "@") + address();
    }

    /** Its folder, removed at close. */
    public Path folder() {
        return folder;
    }

    /** The id of its process; another one after a restart. */
    public long pid() {
        return process.pid();
    }

    /** Whether the process lives; suspended ones do. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Sends one command over a connection of its own, as the default user.
     *
     * @return a String, a Long, a List of such, or null
     * @throws IllegalStateException with the server's words if it answers with an error
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
            throw new UncheckedIOException("redis-server on port " + port + " does not answer", e);
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
        try (RedisWire wire = new RedisWire(host(), port)) {
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

    /** Ends it as an operator does: it saves what its options tell it to. Waits for its end. */
    public void shutdown() {
        process.terminate();
    }

    /** Ends it as {@code kill -9} does. */
    public void kill() {
        process.kill();
    }

    /** Lets it hang: its connections stay, and nothing is answered. */
    public void suspend() {
        process.signal("STOP");
    }

    /** Ends {@link #suspend}. */
    public void resume() {
        process.signal("CONT");
    }

    /** Starts it again on the same port, in the same folder; kills it first if it still runs. */
    public void restart() {
        process.kill();
        process = launch();
        awaitReady();
    }

    /** Kills it if it still runs, and removes its folder. */
    @Override
    public void close() {
        process.kill();
        ServerProcess.remove(folder);
    }

    @Override
    public String toString() {
        return "redis-server " + address() + ", pid " + process.pid() + (process.isAlive() ? "" : ", dead");
    }

    /** Builds a {@link RedisServer}; not thread-safe. */
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

        /** A line of {@code redis.conf}, in place of an earlier one of this name. */
        public Builder option(String name, String value) {
            options.put(name, value);
            return this;
        }

        /** The password of the default user, by {@code requirepass}. */
        public Builder password(String value) {
            this.password = value;
            return option("requirepass", value);
        }

        /**
         * Lets it listen with TLS too, on {@link RedisServer#tlsPort}; clients need no certificate.
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

        /** Users beside the default one, as lines of an ACL file: {@code user NAME on >PASSWORD …}. */
        public Builder users(String... lines) {
            this.users = List.of(lines);
            return this;
        }

        /** Lets it be a replica. */
        public Builder replicaOf(RedisServer primary) {
            return option("replicaof", primary.host() + " " + primary.port());
        }

        /** An argument behind the configuration file's, such as {@code --sentinel}. */
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
                // The default is 10000 above the port, which need not be free.
                text.append("cluster-port ").append(Ports.free()).append('\n');
            }
            if (!users.isEmpty()) {
                List<String> lines = new ArrayList<>(users);
                lines.add("user default on " + (password == null ? "nopass" : ">" + password) + " ~* &* +@all");
                Files.write(folder.resolve("users.acl"), lines);
                text.append("aclfile ").append(folder.resolve("users.acl")).append('\n');
                if (password != null) {
                    // Redis refuses the two together.
                    return text.toString().replace("requirepass " + password + "\n", "");
                }
            }
            return text.toString();
        }

        /**
         * Starts it, and waits until it answers.
         *
         * @throws org.opentest4j.TestAbortedException if there is no {@code redis-server}, so that the test is skipped
         */
        public RedisServer start() {
            BINARY.require();
            for (int attempt = 1; ; attempt++) {
                RedisServer server = create();
                try {
                    server.awaitReady();
                    return server;
                } catch (IllegalStateException dead) {
                    boolean portTaken = server.process.lastLines().contains("Address already in use");
                    server.close();
                    if (!portTaken || attempt == 5) {
                        throw dead;
                    }
                } catch (RuntimeException failure) {
                    server.close();
                    throw failure;
                }
            }
        }

        private RedisServer create() {
            try {
                return new RedisServer(this, Ports.free(), ServerFolder.create("jono-redis-"));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write a configuration for redis-server", e);
            }
        }
    }
}
