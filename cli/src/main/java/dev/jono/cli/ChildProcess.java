package dev.jono.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** This program in another JVM, which stops when its standard input ends ({@link ParentWatch}). */
final class ChildProcess implements AutoCloseable {
    private final String name;
    private final Process process;
    private final List<Thread> readers = new ArrayList<>();

    private ChildProcess(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    /**
     * Starts a child process.
     *
     * @param mainClass the class to run
     * @param jvmOptions additional options for its JVM
     * @param arguments of the program
     * @param output gets each line of its standard output, on a thread of its own
     * @param errors gets each line of its standard error, on another thread
     */
    static ChildProcess start(
            String name,
            Class<?> mainClass,
            List<String> jvmOptions,
            List<String> arguments,
            Consumer<String> output,
            Consumer<String> errors)
            throws IOException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-Xmx256m"));
        line.addAll(jvmOptions);
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass.getName()));
        line.addAll(arguments);
        ChildProcess child = new ChildProcess(name, new ProcessBuilder(line).start());
        child.read(child.process.getInputStream(), output);
        child.read(child.process.getErrorStream(), text -> errors.accept("[" + name + "] " + text));
        return child;
    }

    private void read(InputStream stream, Consumer<String> to) {
        Thread reader = new Thread(
                () -> {
                    try (BufferedReader lines =
                            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                            to.accept(line);
                        }
                    } catch (IOException e) {
                        // The child was killed. All that it had written is read.
                    }
                },
                "jono-child-" + name);
        reader.setDaemon(true);
        reader.start();
        readers.add(reader);
    }

    String name() {
        return name;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Asks the child to stop. */
    void stop() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // The child has ended already.
        }
    }

    /** Kills the child as kill -9 does. {@link Process#destroyForcibly} would lose unread output. */
    void kill() {
        process.toHandle().destroyForcibly();
    }

    /**
     * Waits until the child has ended and all its output is read.
     *
     * @return its exit code
     */
    int join(Duration timeout) throws InterruptedException {
        if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            kill();
            throw CliException.error("process " + name + " did not end within " + timeout.toSeconds() + " s");
        }
        for (Thread reader : readers) {
            reader.join(timeout.toMillis());
        }
        return process.exitValue();
    }

    /**
     * Kills the child if it is alive, and waits until it has ended: it must not write to files that are removed next.
     */
    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
        process.onExit()
                .orTimeout(10, TimeUnit.SECONDS)
                .exceptionally(late -> process)
                .join();
    }
}
