package dev.jono.testkit;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A process for tests that search its output for a password. It reads one URL per line, connects, uses a queue, and
 * prints everything that a user might print: exceptions with their causes, objects as text, and the log at level debug.
 * After each URL it prints {@code DONE}. If a line begins with {@code wait }, the process prints {@code OPEN} when it
 * is connected, and uses the queue after it has read the next line.
 */
public final class SecretsChild {
    private static final String WAIT = "wait ";

    /** Not System.out, which belongs to the test runner. */
    private static final PrintStream OUT =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private SecretsChild() {}

    /** Runs the process. */
    public static void main(String[] arguments) throws IOException {
        // At level "trace" drivers log the bytes that they send, which include the password.
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "debug");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            boolean waits = line.startsWith(WAIT);
            use(waits ? line.substring(WAIT.length()) : line, waits ? input : null);
            OUT.println("DONE");
        }
    }

    private static void use(String url, @Nullable BufferedReader input) {
        try (QueueFactory jono = QueueFactory.connect(url)) {
            OUT.println("OPEN " + jono);
            if (input != null) {
                input.readLine();
            }
            MessageQueue<String> queue = jono.queue(
                    "secrets",
                    Codec.string(),
                    QueueOptions.builder()
                            .operationTimeout(Duration.ofSeconds(2))
                            .build());
            OUT.println(queue);
            queue.push("x");
            OUT.println(queue.popAsync(Duration.ZERO).join());
        } catch (IOException | RuntimeException failure) {
            OUT.println("FAILED " + failure.getClass().getSimpleName());
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            OUT.println(trace);
        }
    }
}
