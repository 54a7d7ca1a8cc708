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
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A {@code mongod} of this test's own, on a free port of the loopback address and in a temporary folder, with a small
 * cache and its journal. It ends when it is closed, and with this JVM. Not thread-safe, except {@link #call}.
 *
 * <p>By itself it is a standalone server, without transactions; see {@link MongoReplicaSet}.
 */
public final class MongoServer implements AutoCloseable {
    private static final ServerBinary BINARY = ServerBinary.named("mongod");
    private static final Duration START = Duration.ofSeconds(60);

    private final List<String> command;
    private final Path folder;
    private final int port;
    private ServerProcess process;

    private MongoServer(List<String> command, Path folder, int port) {
        this.command = command;
        this.folder = folder;
        this.port = port;
        this.process = launch();
    }

    /** A builder for one with options. */
    public static Builder builder() {
        return new Builder();
    }

    /** Starts one with defaults. */
    public static MongoServer start() {
        return builder().start();
    }

    /**
     * The URI of a database on a standalone MongoDB that tests of this JVM share and do not stop: the one that the
     * environment's {@code JONO_TEST_MONGO_STANDALONE} names, else one started here.
     *
     * @throws org.opentest4j.TestAbortedException if there is none, so that the test is skipped with the reason
     */
    public static String sharedUri(String database) {
        return SharedMongo.standalone(database);
    }

    private ServerProcess launch() {
        return ServerProcess.start(command, folder, folder.resolve("log"));
    }

    private void awaitReady() {
        Awaitility.await("mongod on port " + port)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(START)
                .until(() -> !process.isAlive() || isReady());
        if (!process.isAlive()) {
            throw new IllegalStateException("mongod ended at once: " + process.lastLines());
        }
    }

    private boolean isReady() {
        try {
            return hello().containsKey("maxBsonObjectSize");
        } catch (UncheckedIOException | IllegalStateException notYet) {
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

    /** Where it listens, {@code host:port}. */
    public String address() {
        return host() + ":" + port;
    }

    /** {@code mongodb://host:port/database}. */
    public String uri(String database) {
        return "mongodb://" + address() + "/" + database;
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
     * Sends one command over a connection of its own, without a user.
     *
     * @param command its name first; values are strings, integers, longs, doubles, booleans, lists and maps
     * @return the reply's fields; dates are longs
     * @throws IllegalStateException with the server's words if it answers with an error
     */
    @CanIgnoreReturnValue
    public Map<String, @Nullable Object> call(String database, Map<String, ?> command) {
        try (MongoWire wire = new MongoWire(host(), port)) {
            Map<String, @Nullable Object> reply = wire.call(database, command);
            if (!Double.valueOf(1).equals(reply.get("ok"))) {
                throw new IllegalStateException(
                        command.keySet() + ": " + reply.get("codeName") + ", " + reply.get("errmsg"));
            }
            return reply;
        } catch (IOException e) {
            throw new UncheckedIOException("mongod on port " + port + " does not answer", e);
        }
    }

    /** What it says of itself. */
    Map<String, @Nullable Object> hello() {
        return call("admin", Map.of("hello", 1));
    }

    /** Ends it as an operator does. Waits for its end. */
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
        return "mongod " + address() + ", pid " + process.pid() + (process.isAlive() ? "" : ", dead");
    }

    /** Builds a {@link MongoServer}; not thread-safe. */
    public static final class Builder {
        private final Map<String, String> options = new LinkedHashMap<>();
        private final List<String> parameters = new ArrayList<>();
        private @Nullable String key;
        private boolean onDisk;
        private List<String> starter = List.of();

        private Builder() {
            option("bind_ip", "127.0.0.1");
            option("wiredTigerCacheSizeGB", "0.25");
            // A dropped database, as each test leaves one, is waited for until the journal is written the next time.
            option("journalCommitInterval", "20");
            parameter("diagnosticDataCollectionEnabled", "false");
        }

        /** An option of {@code mongod}'s command line, {@code --NAME VALUE}, in place of an earlier one of this name. */
        public Builder option(String name, String value) {
            options.put(name, value);
            return this;
        }

        /** A server parameter, {@code --setParameter NAME=VALUE}. */
        public Builder parameter(String name, String value) {
            parameters.add(name + "=" + value);
            return this;
        }

        /** Keeps its data on the disk, never in memory: for measurements, as there a write that waits for the journal has its price. */
        public Builder onDisk() {
            onDisk = true;
            return this;
        }

        /**
         * Lets another program start it, which must become it and not its parent, as {@code nsenter} and {@code prlimit} do.
         *
         * @param command that program and its arguments, to which {@code mongod} and its own are added
         */
        public Builder startedBy(List<String> command) {
            this.starter = List.copyOf(command);
            return this;
        }

        /**
         * Lets it ask for users and passwords. The first user is made without one, from this host.
         *
         * @param sharedKey by which the members of a replica set know each other: six or more letters and digits
         */
        public Builder authorization(String sharedKey) {
            this.key = sharedKey;
            return this;
        }

        /**
         * Starts it, and waits until it answers.
         *
         * @throws org.opentest4j.TestAbortedException if there is no {@code mongod}, so that the test is skipped
         */
        public MongoServer start() {
            BINARY.require();
            for (int attempt = 1; ; attempt++) {
                MongoServer server = create();
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

        private MongoServer create() {
            try {
                Path folder = ServerFolder.create("jono-mongo-", onDisk);
                int port = Ports.free();
                List<String> command = new ArrayList<>(starter);
                command.add(BINARY.require().toString());
                command.addAll(arguments(folder, port));
                return new MongoServer(command, folder, port);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot make a folder for mongod", e);
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
