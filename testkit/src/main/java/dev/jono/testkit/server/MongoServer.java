package dev.jono.testkit.server;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A {@code mongod} that one test owns, with a small cache and a journal. Not thread-safe, except {@link #call}.
 *
 * <p>It is a standalone server, without transactions. {@link MongoReplicaSet} starts several of them as a replica set.
 */
public final class MongoServer extends TestServer {
    private static final ServerBinary BINARY = ServerBinary.named("mongod");
    private static final SharedServer<UnaryOperator<String>> SHARED =
            SharedMongo.namedBy("JONO_TEST_MONGO_STANDALONE", () -> start()::uri);

    private MongoServer(List<String> command, Path folder, int port) {
        super("mongod", command, folder, port);
    }

    /** A builder, to set options. */
    public static Builder builder() {
        return new Builder();
    }

    /** Starts a server with default options. */
    public static MongoServer start() {
        return builder().start();
    }

    /**
     * The URI of a database on a standalone MongoDB that the tests of this JVM share. Tests must not stop it. It is the
     * server that the environment variable {@code JONO_TEST_MONGO_STANDALONE} names, otherwise a server that is started
     * here.
     *
     * @throws org.opentest4j.TestAbortedException if there is none, so that the test is skipped with the reason
     */
    public static String sharedUri(String database) {
        return SHARED.get().apply(database);
    }

    @Override
    Duration startTimeout() {
        return Duration.ofSeconds(60);
    }

    @Override
    boolean isReady() {
        try {
            return hello().containsKey("maxBsonObjectSize");
        } catch (UncheckedIOException | IllegalStateException notYet) {
            return false;
        }
    }

    /** {@code mongodb://host:port/database}. */
    public String uri(String database) {
        return "mongodb://" + address() + "/" + database;
    }

    /**
     * Sends one command over a connection of its own, without a user.
     *
     * @param command its name first; values are strings, integers, longs, doubles, booleans, lists and maps
     * @return the reply's fields; dates are longs
     * @throws IllegalStateException with the server's text if it answers with an error
     */
    @CanIgnoreReturnValue
    public Map<String, @Nullable Object> call(String database, Map<String, ?> command) {
        try (MongoWire wire = new MongoWire(host(), port())) {
            Map<String, @Nullable Object> reply = wire.call(database, command);
            if (!Double.valueOf(1).equals(reply.get("ok"))) {
                throw new IllegalStateException(
                        command.keySet() + ": " + reply.get("codeName") + ", " + reply.get("errmsg"));
            }
            return reply;
        } catch (IOException e) {
            throw new UncheckedIOException("mongod on port " + port() + " does not answer", e);
        }
    }

    /** The reply to the command {@code hello}: the state of the server. */
    Map<String, @Nullable Object> hello() {
        return call("admin", Map.of("hello", 1));
    }

    /** Builds a {@link MongoServer}. Not thread-safe. */
    public static final class Builder {
        private final Map<String, String> options = new LinkedHashMap<>();
        private final List<String> parameters = new ArrayList<>();
        private @Nullable String key;
        private boolean onDisk;
        private List<String> launcher = List.of();

        private Builder() {
            option("bind_ip", "127.0.0.1");
            option("wiredTigerCacheSizeGB", "0.25");
            // Dropping a database, as each test does, waits for the next write of the journal.
            option("journalCommitInterval", "20");
            parameter("diagnosticDataCollectionEnabled", "false");
            // Otherwise a test of documents that expire takes a minute.
            parameter("ttlMonitorSleepSecs", "1");
        }

        /** Sets an option of the command line, {@code --NAME VALUE}. Replaces an earlier one of the same name. */
        public Builder option(String name, String value) {
            options.put(name, value);
            return this;
        }

        /** Sets a server parameter, {@code --setParameter NAME=VALUE}. */
        public Builder parameter(String name, String value) {
            parameters.add(name + "=" + value);
            return this;
        }

        /** Keeps the data on the disk, never in memory: for measurements of writes that wait for the journal. */
        public Builder onDisk() {
            onDisk = true;
            return this;
        }

        /**
         * Starts the server through another program. That program must replace itself by {@code mongod}, as
         * {@code nsenter} and {@code prlimit} do, and must not stay its parent.
         *
         * @param command that program and its arguments; {@code mongod} and its own arguments follow
         */
        public Builder startedBy(List<String> command) {
            this.launcher = List.copyOf(command);
            return this;
        }

        /**
         * Requires users and passwords. The first user can be created from this host without a password.
         *
         * @param sharedKey with which the members of a replica set authenticate: six or more letters and digits
         */
        public Builder authorization(String sharedKey) {
            this.key = sharedKey;
            return this;
        }

        /**
         * Starts the server, and waits until it answers.
         *
         * @throws org.opentest4j.TestAbortedException if there is no {@code mongod}, so that the test is skipped
         */
        public MongoServer start() {
            BINARY.require();
            return TestServer.start(this::create);
        }

        private MongoServer create() {
            try {
                Path folder = ServerFolder.create("jono-mongo-", onDisk);
                int port = Ports.free();
                List<String> command = new ArrayList<>(launcher);
                command.add(BINARY.require().toString());
                command.addAll(arguments(folder, port));
                return new MongoServer(command, folder, port);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot create a folder for mongod", e);
            }
        }

        private List<String> arguments(Path folder, int port) throws IOException {
            List<String> arguments = new ArrayList<>(List.of("--port", Integer.toString(port), "--nounixsocket"));
            if (!options.containsKey("dbpath")) {
                Path data = Files.createDirectory(folder.resolve("data"));
                arguments.addAll(List.of("--dbpath", data.toString()));
            }
            options.forEach((name, value) -> arguments.addAll(List.of("--" + name, value)));
            parameters.forEach(parameter -> arguments.addAll(List.of("--setParameter", parameter)));
            if (key != null) {
                Path file = Files.createFile(
                        folder.resolve("key"),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                Files.writeString(file, key);
                arguments.addAll(List.of("--auth", "--keyFile", file.toString()));
            }
            return arguments;
        }
    }
}
