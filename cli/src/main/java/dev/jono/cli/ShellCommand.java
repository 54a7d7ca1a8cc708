package dev.jono.cli;

import dev.jono.Message;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A shell command that runs once per message. It reads the payload from standard input, and the rest of the message
 * from environment variables. Called on the threads of handlers. Thread-safe.
 */
final class ShellCommand {
    /** Ignores SIGINT: Ctrl-C reaches all processes of the terminal's group, and running commands must finish. */
    private static final String SHIELDED = "trap '' INT; exec sh -c \"$1\"";

    private final String command;
    /** The running processes, with the file of the message's headers if there is one. */
    private final Map<Process, Optional<Path>> running = new ConcurrentHashMap<>();

    /**
     * Creates the command without running it.
     *
     * @throws CliException if this JVM cannot pass all text to the command
     */
    ShellCommand(String command) {
        ArgumentEncoding.requireUtf8("a command that is run for messages");
        this.command = command;
    }

    /** Sets the environment of the command; returns a file that is deleted when the command has ended, or null. */
    interface Environment {
        @Nullable Path describe(Map<String, String> variables) throws IOException;
    }

    /** Starts the command for a message. The caller must call {@link #end} afterwards. */
    Process start(Message<?> message, Redirect output, Redirect errors) throws IOException {
        return start(message.raw().bytes(), variables -> ShellEnvironment.describe(message, variables), output, errors);
    }

    /** Starts the command with this payload. The caller must call {@link #end} afterwards. */
    Process start(byte[] payload, Environment environment, Redirect output, Redirect errors) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", SHIELDED, "sh", command)
                .redirectOutput(output)
                .redirectError(errors);
        Path headers = environment.describe(builder.environment());
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            delete(headers);
            throw e;
        }
        running.put(process, Optional.ofNullable(headers));
        feed(process, payload);
        return process;
    }

    /** Writes the payload on a new thread, because a write to a slow reader cannot be interrupted. */
    private static void feed(Process process, byte[] payload) {
        Thread feeder = new Thread(
                () -> {
                    try (OutputStream in = process.getOutputStream()) {
                        in.write(payload);
                    } catch (IOException e) {
                        // The command did not read all of its input.
                    }
                },
                "jono-command-feeder");
        feeder.setDaemon(true);
        feeder.start();
    }

    /** Kills the process if it is alive, and removes its file of headers. */
    void end(Process process) {
        destroy(process);
        Optional<Path> headers = running.remove(process);
        if (headers != null) {
            headers.ifPresent(ShellCommand::delete);
        }
    }

    /** The number of running commands. */
    int running() {
        return running.size();
    }

    private static void destroy(Process process) {
        if (process.isAlive()) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** Kills all running commands. */
    void destroyAll() {
        running.keySet().forEach(this::end);
    }

    private static void delete(@Nullable Path file) {
        if (file != null && !file.toFile().delete()) {
            file.toFile().deleteOnExit();
        }
    }
}
