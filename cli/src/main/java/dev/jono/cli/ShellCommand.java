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
 * A shell command that is run once per message: its payload is the standard input, what else is known of it stands in
 * the environment. Thread-safe.
 */
final class ShellCommand {
    /** A Ctrl-C reaches all processes of the terminal's group; the command is to finish nevertheless. */
    private static final String SHIELDED = "trap '' INT; exec sh -c \"$1\"";

    private final String command;
    /** With the file that holds the headers of the message, if there is one. */
    private final Map<Process, Optional<Path>> running = new ConcurrentHashMap<>();

    /**
     * A command that is to be run.
     *
     * @throws CliException if this JVM cannot pass every word on
     */
    ShellCommand(String command) {
        ArgumentEncoding.requireUtf8("a command that is run for messages");
        this.command = command;
    }

    /** Starts it for a message. To be followed by {@link #end}. */
    Process start(Message<?> message, Redirect output, Redirect errors) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", SHIELDED, "sh", command)
                .redirectOutput(output)
                .redirectError(errors);
        Path headers = ShellEnvironment.describe(message, builder.environment());
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            delete(headers);
            throw e;
        }
        running.put(process, Optional.ofNullable(headers));
        feed(process, message.raw().bytes());
        return process;
    }

    /** On a thread of its own: a command that reads late must not keep the handler from being interrupted. */
    private static void feed(Process process, byte[] payload) {
        Thread feeder = new Thread(
                () -> {
                    try (OutputStream in = process.getOutputStream()) {
                        in.write(payload);
                    } catch (IOException e) {
                        // The command did not care to read it all.
                    }
                },
                "jono-command-feeder");
        feeder.setDaemon(true);
        feeder.start();
    }

    /** Ends it, if it still runs. */
    void end(Process process) {
        destroy(process);
        Optional<Path> headers = running.remove(process);
        if (headers != null) {
            headers.ifPresent(ShellCommand::delete);
        }
    }

    /** How many run. */
    int running() {
        return running.size();
    }

    private static void destroy(Process process) {
        if (process.isAlive()) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** Ends all that run. */
    void destroyAll() {
        running.keySet().forEach(this::end);
    }

    private static void delete(@Nullable Path file) {
        if (file != null && !file.toFile().delete()) {
            file.toFile().deleteOnExit();
        }
    }
}
