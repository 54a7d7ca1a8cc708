package dev.jono.cli;

import dev.jono.Message;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.lang.ProcessBuilder.Redirect;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A shell command that is run once per message: its payload is the standard input, what else is known of it stands in
 * the environment. Thread-safe.
 */
final class ShellCommand {
    /** What the help tells of the environment. */
    static final String ENVIRONMENT =
            "In its environment are JONO_ID, JONO_QUEUE, JONO_TRIES (0 at the first delivery), JONO_ATTEMPT (1 at the"
                    + " first), JONO_HEADERS (a JSON object) and JONO_HEADER_NAME for each header, in capitals and with _"
                    + " for -.";

    /** A Ctrl-C reaches all processes of the terminal's group; the command is to finish nevertheless. */
    private static final String SHIELDED = "trap '' INT; exec sh -c \"$1\"";

    private final String command;
    private final Set<Process> running = ConcurrentHashMap.newKeySet();

    ShellCommand(String command) {
        this.command = command;
    }

    /** Starts it for a message. To be followed by {@link #end}. */
    Process start(Message<?> message, Redirect output, Redirect errors) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", SHIELDED, "sh", command)
                .redirectOutput(output)
                .redirectError(errors);
        describe(message, builder.environment());
        Process process = builder.start();
        running.add(process);
        feed(process, message.raw().bytes());
        return process;
    }

    private static void describe(Message<?> message, Map<String, String> environment) throws IOException {
        environment.put("JONO_ID", message.id());
        environment.put("JONO_QUEUE", message.queue());
        environment.put("JONO_TRIES", Integer.toString(message.tries()));
        environment.put("JONO_ATTEMPT", Integer.toString(message.attempt()));
        StringWriter json = new StringWriter();
        JsonLines.headers(json, message.headers());
        environment.put("JONO_HEADERS", json.toString());
        message.headers().asMap().forEach((name, value) -> {
            String text = String.valueOf(value);
            if (text.indexOf(0) < 0) { // which no variable can hold
                environment.put("JONO_HEADER_" + name.toUpperCase(Locale.ROOT).replace('-', '_'), text);
            }
        });
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
        running.remove(process);
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
        running.forEach(ShellCommand::destroy);
    }
}
