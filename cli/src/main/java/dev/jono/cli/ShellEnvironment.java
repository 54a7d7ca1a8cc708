package dev.jono.cli;

import dev.jono.Headers;
import dev.jono.Message;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The environment of a command that is run for a message: what it learns of the message, and its caller's locale. */
final class ShellEnvironment {
    /** What the help tells of it. */
    static final String HELP =
            "In its environment are JONO_ID, JONO_QUEUE, JONO_TRIES (0 at the first delivery), JONO_ATTEMPT (1 at the"
                    + " first), JONO_HEADERS (a JSON object) and JONO_HEADER_NAME for each header, in capitals and with _"
                    + " for -. Headers longer than 64 KiB together stand in the file JONO_HEADERS_FILE instead of"
                    + " JONO_HEADERS, and those that do not fit have no JONO_HEADER_NAME.";

    /** Linux starts no process with a variable over 128 KiB; all variables together have to fit in less than 2 MiB. */
    private static final int LONGEST = 64 << 10;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+");

    private ShellEnvironment() {}

    /**
     * Sets the variables.
     *
     * @return the file that holds the headers, to be deleted in the end; null when none was needed
     */
    static @Nullable Path describe(Message<?> message, Map<String, String> environment) throws IOException {
        restoreLocale(environment);
        environment.keySet().removeIf(name -> name.startsWith("JONO_HEADER")); // of a command around this one
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

    /** The script runs this JVM in a locale of UTF-8, and says what its caller had. */
    private static void restoreLocale(Map<String, String> environment) {
        String own = System.getProperty("jono.lc-all");
        if (own != null) {
            if (own.isEmpty()) {
                environment.remove("LC_ALL");
            } else {
                environment.put("LC_ALL", own);
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

    /** Other clients may have stored what no variable can hold; JONO_HEADERS has it. */
    private static boolean isVariable(String name, String text) {
        return NAME.matcher(name).matches()
                && text.indexOf(0) < 0
                && StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }
}
