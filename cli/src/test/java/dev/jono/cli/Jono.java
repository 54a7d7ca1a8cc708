package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs the command in this JVM or in a new one. */
final class Jono {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private Jono() {}

    /** The result of a run. */
    record Run(int code, String out, String err) {
        /** The lines of standard output. */
        List<String> lines() {
            return out.lines().toList();
        }

        /** The lines of standard output, parsed. */
        List<JsonNode> json() {
            return lines().stream().map(Jono::read).toList();
        }

        /** The only line of standard output, parsed. */
        JsonNode one() {
            assertThat(lines()).as("output; messages: %s", err).hasSize(1);
            return json().get(0);
        }

        /** Asserts the exit code. */
        Run ended(int expected) {
            assertThat(code).as("exit code; messages: %s", err).isEqualTo(expected);
            return this;
        }
    }

    static JsonNode read(String line) {
        try {
            return MAPPER.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(line, e);
        }
    }

    /** Runs the command in this JVM, without input. */
    static Run run(String... args) {
        return runWith(new byte[0], args);
    }

    /** Runs the command in this JVM, with this input. */
    static Run runWith(byte[] input, String... args) {
        return runWith(new ByteArrayInputStream(input), args);
    }

    /** Runs the command in this JVM, with this input. */
    static Run runWith(InputStream input, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(new Io(input, out, new PrintStream(err, true, StandardCharsets.UTF_8), false, false), args);
        return new Run(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** Prepares a JVM that runs the command. */
    static ProcessBuilder child(String... args) {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        line.addAll(List.of(args));
        return new ProcessBuilder(line);
    }

    /** Runs the command in a new JVM, without input. */
    static Run runChild(String... args) throws IOException, InterruptedException {
        Path words = java.nio.file.Files.createTempFile("jono", ".err");
        try {
            Process process = child(args).redirectError(words.toFile()).start();
            process.getOutputStream().close();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Run(process.waitFor(), out, java.nio.file.Files.readString(words));
        } finally {
            java.nio.file.Files.delete(words);
        }
    }
}
