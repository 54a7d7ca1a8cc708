package dev.jono.cli;

import dev.jono.Headers;
import dev.jono.Message;
import dev.jono.jobs.JobRun;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sets the environment of a command that runs for a message: the message's fields, and the locale of the user. */
final class ShellEnvironment {
    /** The help text about the variables. */
    static final String HELP =
            "Environment variables of the command: JONO_ID, JONO_QUEUE, JONO_TRIES (0 at the first delivery), JONO_ATTEMPT"
                    + " (1 at the first delivery), JONO_HEADERS (a JSON object), and for each header JONO_HEADER_NAME, with"
                    + " its name in capitals and _ instead of -. If all headers together are longer than 64 KiB, they are"
                    + " in the file JONO_HEADERS_FILE instead of JONO_HEADERS, and some have no JONO_HEADER_NAME.";

    /** Linux limits a variable to 128 KiB, and all variables together to less than 2 MiB. */
    private static final int LONGEST = 64 << 10;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+");

    private ShellEnvironment() {}

    /**
     * Sets the variables.
     *
     * @return the file of the headers, which the caller must delete; null if there is none
     */
    static @Nullable Path describe(Message<?> message, Map<String, String> environment) throws IOException {
        restoreLocale(environment);
        // This command may run inside another one, and inherit its variables.
        environment.keySet().removeIf(name -> name.startsWith("JONO_HEADER"));
        environment.put("JONO_ID", message.id());
        environment.put("JONO_QUEUE", message.queue());
        environment.put("JONO_TRIES", Integer.toString(message.tries()));
        environment.put("JONO_ATTEMPT", Integer.toString(message.attempt()));
        StringWriter json = new StringWriter();
        JsonLines.headers(json, message.headers());
        putHeaders(message.headers(), environment);
        byte[] bytes = json.toString().getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= LONGEST) {
            environment.put("JONO_HEADERS", json.toString());
            return null;
        }
        Path file = Files.createTempFile("jono-headers", ".json");
        environment.put("JONO_HEADERS_FILE", file.toString());
        try {
            Files.write(file, bytes);
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
        return file;
    }

    /** Sets the variables of a job. It has no file. */
    static @Nullable Path describe(JobRun run, Map<String, String> environment) {
        restoreLocale(environment);
        environment.put("JONO_JOB_ID", run.id());
        environment.put("JONO_JOB_TYPE", run.id().substring(0, run.id().indexOf(':')));
        environment.put("JONO_ATTEMPT", Integer.toString(run.attempt()));
        return null;
    }

    /** Restores LC_ALL of the user, which the script {@code jono} has replaced by a UTF-8 locale. */
    private static void restoreLocale(Map<String, String> environment) {
        String original = System.getProperty("jono.lc-all");
        if (original != null) {
            if (original.isEmpty()) {
                environment.remove("LC_ALL");
            } else {
                environment.put("LC_ALL", original);
            }
        }
    }

    private static void putHeaders(Headers headers, Map<String, String> environment) {
        int left = LONGEST;
        for (Map.Entry<String, Object> header : headers.asMap().entrySet()) {
            String text = String.valueOf(header.getValue());
            int length = header.getKey().length() + text.getBytes(StandardCharsets.UTF_8).length;
            if (length <= left && isVariable(header.getKey(), text)) {
                left -= length;
                environment.put(
                        "JONO_HEADER_"
                                + header.getKey().toUpperCase(Locale.ROOT).replace('-', '_'),
                        text);
            }
        }
    }

    /** Whether a variable can hold the header. If not, it is only in JONO_HEADERS. */
    private static boolean isVariable(String name, String text) {
        return NAME.matcher(name).matches()
                && text.indexOf(0) < 0
                && StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }
}
