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

/** A child process that reads and writes lines over its standard input and output. */
public final class ChildProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final PrintWriter in;

    /** Starts the process. Its standard error goes to the one of this process. */
    public ChildProcess(List<String> command) throws IOException {
        this.process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        this.out = process.inputReader(StandardCharsets.UTF_8);
        this.in = new PrintWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8), true);
    }

    /** Starts a JVM with this class path. */
    static ChildProcess jvm(Class<?> main, String... arguments) throws IOException {
        return jvm(List.of(), main, arguments);
    }

    /** Starts a JVM with this class path and these options. */
    public static ChildProcess jvm(List<String> options, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return new ChildProcess(command);
    }

    /** Sends a line to the process. */
    public void send(String line) {
        in.println(line);
    }

    /** Waits for the next line and returns it; throws if the process has ended. */
    public String line() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException("the child process has ended");
        }
        return line;
    }

    /** Returns the process id. */
    public long pid() {
        return process.pid();
    }

    /** Ends the process as {@code kill -9} does. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Returns the CPU time that the process has used so far. */
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

    /** Returns the standard input of this process, for a program that runs as a child. */
    public static BufferedReader stdin() {
        return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    }
}
