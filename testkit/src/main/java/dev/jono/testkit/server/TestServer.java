package dev.jono.testkit.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/**
 * A server process that one test owns: on a free port of the loopback address, with a temporary folder. The process
 * ends when this object is closed, and when this JVM ends. Not thread-safe.
 */
public abstract class TestServer implements AutoCloseable {
    private static final int ATTEMPTS = 5;

    private final String program;
    private final List<String> command;
    private final Path folder;
    private final int port;
    private ServerProcess process;

    /**
     * Starts the process.
     *
     * @param program the server's name in messages
     * @param command the command line, which starts the server in the foreground
     */
    TestServer(String program, List<String> command, Path folder, int port) {
        this.program = program;
        this.command = List.copyOf(command);
        this.folder = folder;
        this.port = port;
        this.process = launch();
    }

    /**
     * Starts a server, and waits until it answers. Tries again with a new port if another process took the port.
     *
     * @param creation starts a process on a free port
     */
    static <S extends TestServer> S start(Supplier<S> creation) {
        for (int attempt = 1; ; attempt++) {
            S server = creation.get();
            try {
                server.awaitReady();
                return server;
            } catch (RuntimeException failure) {
                boolean portTaken = server.lastLines().contains("Address already in use");
                server.close();
                if (!portTaken || attempt == ATTEMPTS) {
                    throw failure;
                }
            }
        }
    }

    private ServerProcess launch() {
        return ServerProcess.start(command, folder, folder.resolve("log"), lastSignal());
    }

    final void awaitReady() {
        Awaitility.await(program + " on port " + port)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(startTimeout())
                .until(() -> !process.isAlive() || isReady());
        if (!process.isAlive()) {
            throw new IllegalStateException(program + " ended during its start: " + lastLines());
        }
    }

    final String lastLines() {
        return process.lastLines();
    }

    /** Whether the server on the port is this process, and answers commands. */
    abstract boolean isReady();

    /** How long a start may take. */
    abstract Duration startTimeout();

    /** The signal with which an operator stops the server in order. */
    String shutdownSignal() {
        return "TERM";
    }

    /** The signal that ends the server at once, when nobody needs its data any more. */
    String lastSignal() {
        return "KILL";
    }

    /** The host. */
    public final String host() {
        return "127.0.0.1";
    }

    /** The port. It stays the same over restarts. */
    public final int port() {
        return port;
    }

    /** The address, {@code host:port}. */
    public final String address() {
        return host() + ":" + port;
    }

    /** The server's folder. {@link #close} removes it. */
    public final Path folder() {
        return folder;
    }

    /** The process id. A restart changes it. */
    public final long pid() {
        return process.pid();
    }

    /** Whether the process is alive. A suspended process is. */
    public final boolean isAlive() {
        return process.isAlive();
    }

    /** Stops the server in order, as an operator does, and waits until the process has ended. */
    public final void shutdown() {
        process.end(shutdownSignal());
    }

    /** Kills the process, as {@code kill -9} does, and waits until it has ended. */
    public final void kill() {
        process.kill();
    }

    /** Stops the process with SIGSTOP: its connections stay open, and it answers nothing. */
    public final void suspend() {
        process.signal("STOP");
    }

    /** Ends {@link #suspend}. */
    public final void resume() {
        process.signal("CONT");
    }

    /** Starts the server again on the same port and in the same folder. Kills the process first if it is alive. */
    public final void restart() {
        process.kill();
        process = launch();
        awaitReady();
    }

    /** Ends the process if it is alive, and removes its folder. */
    @Override
    public final void close() {
        if (lastSignal().equals("KILL") || !process.isAlive()) {
            process.kill();
        } else {
            process.signal("CONT"); // a suspended process receives no other signal
            process.end(lastSignal());
        }
        ServerProcess.remove(folder);
    }

    @Override
    public final String toString() {
        return program + " " + address() + ", pid " + process.pid() + (process.isAlive() ? "" : ", dead");
    }
}
