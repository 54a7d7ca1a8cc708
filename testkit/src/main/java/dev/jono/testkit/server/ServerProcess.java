package dev.jono.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The process of a server. It ends with this JVM: a shell process, the watchdog, reads from a pipe that this JVM holds
 * open. When this JVM ends, for any reason, the pipe ends, and the watchdog kills the server and removes its folder.
 */
final class ServerProcess {
    private static final String WATCHDOG =
            "trap '' INT TERM HUP; read -r ended; [ \"$ended\" ] && exit; kill -\"$3\" \"$1\";"
                    + " i=0; while kill -0 \"$1\" && [ $i -lt 100 ]; do sleep 0.05; i=$((i+1)); done;"
                    + " kill -9 \"$1\"; rm -rf \"$2\"";

    private final Process process;
    private final Process watchdog;
    private final Path log;

    private ServerProcess(Process process, Process watchdog, Path log) {
        this.process = process;
        this.watchdog = watchdog;
        this.log = log;
    }

    /**
     * Starts a program, which must stay in the foreground.
     *
     * @param folder its working folder, which is removed if this JVM dies
     * @param log the file to which its output is appended
     * @param lastSignal the signal that ends it at once, such as {@code KILL}
     */
    static ServerProcess start(List<String> command, Path folder, Path log, String lastSignal) {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            Process watchdog = new ProcessBuilder(
                            "sh",
                            "-c",
                            WATCHDOG,
                            "watchdog",
                            Long.toString(process.pid()),
                            folder.toString(),
                            lastSignal)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new ServerProcess(process, watchdog, log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command.get(0), e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Sends a signal, such as {@code STOP}, to the process and its children. */
    void signal(String name) {
        process.descendants().forEach(child -> ProcessSignal.send(child, name));
        ProcessSignal.send(process.toHandle(), name);
    }

    /** Sends the process a signal that ends it, such as {@code TERM}, and waits until it has ended. */
    void end(String signal) {
        if (process.isAlive()) {
            ProcessSignal.send(process.toHandle(), signal);
        }
        awaitEnd();
    }

    /** Kills the process and its children as {@code kill -9} does, even if suspended, and waits until they have ended. */
    void kill() {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        awaitEnd();
        // A child that nobody reaps seems alive for ever.
        children.forEach(child ->
                child.onExit().completeOnTimeout(child, 5, TimeUnit.SECONDS).join());
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        "process " + process.pid() + " does not end; its last lines: " + lastLines());
            }
            stopWatchdog();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while process " + process.pid() + " ended", e);
        }
    }

    private void stopWatchdog() {
        try (var input = watchdog.getOutputStream()) {
            input.write("ended\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        } catch (IOException gone) {
            watchdog.destroyForcibly();
        }
    }

    /** The last lines of its output, for messages. */
    String lastLines() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 10), lines.size()));
        } catch (IOException unreadable) {
            return "(no log: " + unreadable.getMessage() + ")";
        }
    }

    /** Removes a folder with its contents. */
    static void remove(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + folder, e);
        }
    }
}
