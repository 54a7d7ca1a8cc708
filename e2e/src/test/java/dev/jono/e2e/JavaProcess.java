package dev.jono.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A new JVM of the JDK that runs this test. Its output goes to files. */
final class JavaProcess implements AutoCloseable {
    private final Process process;
    private final Path output;
    private final Path errors;

    private JavaProcess(Process process, Path output, Path errors) {
        this.process = process;
        this.output = output;
        this.errors = errors;
    }

    /**
     * Starts a JVM.
     *
     * @param folder an existing folder for its output
     * @param environment in addition to this process's
     * @param arguments as for {@code java}
     */
    static JavaProcess start(Path folder, Map<String, String> environment, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(arguments);
        Path output = Files.createTempFile(folder, "java", ".out");
        Path errors = Files.createTempFile(folder, "java", ".err");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
        builder.environment().putAll(environment);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        return new JavaProcess(builder.start(), output, errors);
    }

    /** Waits until the JVM has ended, and checks that its exit code is 0. */
    void succeeds(long seconds) throws InterruptedException {
        boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
        assertThat(ended && process.exitValue() == 0)
                .withFailMessage(
                        () -> (ended ? "exit code " + process.exitValue() : "still running after " + seconds + " s")
                                + "\n" + output() + "\n" + errors())
                .isTrue();
    }

    /** Waits until the JVM has ended, and checks that its exit code is not 0. */
    void fails(long seconds) throws InterruptedException {
        assertThat(process.waitFor(seconds, TimeUnit.SECONDS)).as(this::output).isTrue();
        assertThat(process.exitValue()).as(this::output).isNotZero();
    }

    /** The standard output so far. */
    String output() {
        return read(output);
    }

    /** The standard error so far. */
    String errors() {
        return read(errors);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "(unreadable: " + e + ")";
        }
    }

    /** Kills the JVM if it is alive. */
    @Override
    public void close() {
        process.destroyForcibly();
    }
}
