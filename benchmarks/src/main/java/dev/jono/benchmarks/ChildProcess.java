package dev.jono.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another process, spoken to in lines. */
public final class ChildProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final PrintWriter in;

    /** Starts it; what it says to standard error goes to ours. */
    public ChildProcess(List<String> command) throws IOException {
        this.process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        this.out = process.inputReader(StandardCharsets.UTF_8);
        this.in = new PrintWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8), true);
    }

    /** A JVM with this class path. */
    static ChildProcess jvm(Class<?> main, String... arguments) throws IOException {
        return jvm(List.of(), main, arguments);
    }

    /** A JVM with this class path, and some options. */
    public static ChildProcess jvm(List<String> options, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return new ChildProcess(command);
    }

    /** Says a line to it. */
    public void send(String line) {
        in.println(line);
    }

    /** The next line; throws if the process has ended. */
    public String line() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException("the child process has ended");
        }
        return line;
    }

    /** Its process id. */
    public long pid() {
        return process.pid();
    }

    /** Ends it as {@code kill -9} does. */
    public void kill() {
        process.destroyForcibly();
    }

    Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    @Override
    public void close() throws IOException {
        in.close();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** What a child is told. */
    public static BufferedReader stdin() {
        return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    }
}
