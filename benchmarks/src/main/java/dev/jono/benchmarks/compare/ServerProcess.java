package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.ChildProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A server's process in the foreground, with all processes that it starts. They end when this is closed, and when this
 * JVM ends for any reason.
 */
final class ServerProcess implements AutoCloseable {
    // The shell ignores signals that end the group of this JVM, so that it can still end the server.
    private static final String SCRIPT = "trap '' INT TERM HUP; log=$1; shift;"
            + " ( trap - INT TERM HUP; exec setsid \"$@\" ) >\"$log\" 2>&1 </dev/null & p=$!; echo $p;"
            + " read -r ended; kill -9 -$p 2>/dev/null; wait $p 2>/dev/null";

    private final ChildProcess shell;
    private final long pid;

    /** Starts a program that stays in the foreground; its output goes to {@code log}. */
    ServerProcess(Path log, Map<String, String> environment, List<String> command) throws IOException {
        List<String> all = new ArrayList<>(List.of("env"));
        environment.forEach((name, value) -> all.add(name + "=" + value));
        all.addAll(List.of("sh", "-c", SCRIPT, "server", log.toString()));
        all.addAll(command);
        this.shell = new ChildProcess(all);
        this.pid = Long.parseLong(shell.line());
    }

    long pid() {
        return pid;
    }

    boolean isAlive() {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    @Override
    public void close() throws IOException {
        shell.close();
    }

    /** Returns a free port below the range of outgoing connections; each only once. */
    static synchronized int freePort() {
        for (int port = 20_000 + (int) (ProcessHandle.current().pid() % 5_000); port < 32_000; port++) {
            try (ServerSocket probe = new ServerSocket()) {
                probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                if (TAKEN.add(port)) {
                    return port;
                }
            } catch (IOException taken) {
                // try the next port
            }
        }
        throw new IllegalStateException("no free port");
    }

    private static final java.util.Set<Integer> TAKEN = new java.util.HashSet<>();

    /** Waits until the server listens on the port; throws if it ends or does not within a minute. */
    void awaitPort(int port, String what, Path log) throws IOException {
        for (int i = 0; i < 1200; i++) {
            if (!isAlive()) {
                break;
            }
            try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (probe.isConnected()) {
                    return;
                }
            } catch (IOException notYet) {
                LockSupport.parkNanos(50_000_000);
            }
        }
        throw new IOException(what + " did not start; see " + log);
    }
}
