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
 * A server's process, known by its pid. It ends with this JVM: a small shell waits for the end of the pipe that this
 * JVM holds, whatever ends it, and then kills the server and removes its folder.
 */
final class ServerProcess {
    private static final String LEASH = "trap '' INT TERM HUP; read -r ended; [ \"$ended\" ] && exit; kill -9 \"$1\";"
            + " i=0; while kill -0 \"$1\" && [ $i -lt 100 ]; do sleep 0.05; i=$((i+1)); done; rm -rf \"$2\"";

    private final Process process;
    private final Process leash;
    private final Path log;

    private ServerProcess(Process process, Process leash, Path log) {
        this.process = process;
        this.leash = leash;
        this.log = log;
    }

    /**
     * Starts a program, which must not put itself into the background.
     *
     * @param folder is its working folder, and is removed if this JVM dies
     * @param log gets what it prints, behind what is there
     */
    static ServerProcess start(List<String> command, Path folder, Path log) {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            Process leash = new ProcessBuilder(
                            "sh", "-c", LEASH, "leash", Long.toString(process.pid()), folder.toString())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new ServerProcess(process, leash, log);
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

    /** Sends a signal, such as {@code STOP}. */
    void signal(String name) {
        try {
            int exit = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("process " + process.pid() + " took no signal " + name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot send a signal", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while sending a signal", e);
        }
    }

    /** Asks it to end, and waits until it has. */
    void terminate() {
        process.destroy();
        awaitEnd();
    }

    /** Kills it as {@code kill -9} does, and waits until it is dead; suspended ones too. */
    void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("process " + process.pid() + " does not end: " + lastLines());
            }
            releaseLeash();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while process " + process.pid() + " ended", e);
        }
    }

    private void releaseLeash() {
        try (var input = leash.getOutputStream()) {
            input.write("ended\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        } catch (IOException gone) {
            leash.destroyForcibly();
        }
    }

    /** The end of what it printed, for messages. */
    String lastLines() {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 10), lines.size()));
        } catch (IOException unreadable) {
            return "(no log: " + unreadable.getMessage() + ")";
        }
    }

    /** Removes a folder with all that is in it. */
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
