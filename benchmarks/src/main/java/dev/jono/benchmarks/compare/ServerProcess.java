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

/** A server's process with all that it starts. It ends when this is closed, and with this JVM, whatever ends that. */
final class ServerProcess implements AutoCloseable {
    // Who ends a whole group of processes must not end the one that has to clean up.
    private static final String SCRIPT = "trap '' INT TERM HUP; log=$1; shift;"
            + " ( trap - INT TERM HUP; exec setsid \"$@\" ) >\"$log\" 2>&1 </dev/null & p=$!; echo $p;"
            + " read -r ended; kill -9 -$p 2>/dev/null; wait $p 2>/dev/null";

    private final ChildProcess shell;
    private final long pid;

    /** Starts a program that stays in the foreground. */
    ServerProcess(Path log, Map<String, String> environment, List<String> command) throws IOException {
        List<String> all = new ArrayList<>(List.of("env"));
        environment.forEach((name, value) -> all.add(name + "=" + value));
        all.addAll(List.of("sh", "-c", SCRIPT, "leash", log.toString()));
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

    /** A port that nobody listens on, below those that outgoing connections get. */
    static synchronized int freePort() {
        for (int port = 20_000 + (int) (ProcessHandle.current().pid() % 5_000); port < 32_000; port++) {
            try (ServerSocket probe = new ServerSocket()) {
                probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                if (TAKEN.add(port)) {
                    return port;
                }
            } catch (IOException taken) {
                // the next one, then
            }
        }
        throw new IllegalStateException("no free port");
    }

    private static final java.util.Set<Integer> TAKEN = new java.util.HashSet<>();

    /** Waits until something listens there. */
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
        throw new IOException(what + " does not start; see " + log);
    }
}
