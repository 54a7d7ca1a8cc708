package dev.jono.testkit;

import dev.jono.testkit.server.ProcessSignal;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A child JVM with the class path of this JVM. The test exchanges lines with it, may kill it, and must close it.
 * Thread-safe.
 */
public final class ChildJvm implements AutoCloseable {
    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private final List<Thread> readers = new ArrayList<>();
    private final Writer input;

    private ChildJvm(Process process) {
        this.process = process;
        this.input = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    }

    /** Starts the main method of a class in a new JVM. */
    public static ChildJvm start(Class<?> main, String... arguments) {
        return start(List.of(), main, arguments);
    }

    /** Starts the main method of a class in a new JVM with options of its own, such as {@code -Xss1m}. */
    public static ChildJvm start(List<String> options, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx256m");
        command.add("-XX:TieredStopAtLevel=1");
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(options);
        command.add("-cp");
        // Surefire replaces the class path by a jar of its own.
        command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        command.add(main.getName());
        command.addAll(List.of(arguments));
        try {
            ChildJvm child = new ChildJvm(new ProcessBuilder(command).start());
            child.read(child.process.getInputStream(), child.lines);
            child.read(child.process.getErrorStream(), child.problems);
            return child;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command.get(0), e);
        }
    }

    private void read(InputStream stream, List<String> into) {
        Thread reader = new Thread(
                () -> {
                    try (BufferedReader text =
                            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                        for (String line = text.readLine(); line != null; line = text.readLine()) {
                            into.add(line);
                        }
                    } catch (IOException closed) {
                        into.add("(the stream failed: " + closed.getMessage() + ")");
                    }
                },
                "testkit-child-reader");
        reader.setDaemon(true);
        readers.add(reader);
        reader.start();
    }

    /** Sends a line to the child. */
    public void send(String line) {
        try {
            input.write(line);
            input.write('\n');
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("the child does not read its input: " + this, e);
        }
    }

    /** What the child has written to standard output so far. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /** What the child has written to standard error so far. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /** The lines of standard output with this prefix, without the prefix. */
    public List<String> lines(String beginning) {
        return lines.stream()
                .filter(line -> line.startsWith(beginning))
                .map(line -> line.substring(beginning.length()))
                .toList();
    }

    /** Waits until the output fulfils a condition. */
    public void await(String what, Predicate<ChildJvm> holds) {
        try {
            Awaitility.await(what)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(5))
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> holdsOrDead(holds));
        } catch (ConditionTimeoutException late) {
            throw new AssertionError(what + " did not happen in " + this, late);
        }
    }

    private boolean holdsOrDead(Predicate<ChildJvm> holds) {
        boolean alive = process.isAlive();
        boolean held = holds.test(this);
        if (!held && !alive) {
            throw new AssertionError("the child ended early: " + this);
        }
        return held;
    }

    /** Kills the child as {@code kill -9} does, and waits until it has ended and all its output is read. */
    public void kill() {
        // Process.destroyForcibly would close the streams and lose what is still in the pipe.
        process.toHandle().destroyForcibly();
        join();
    }

    /** Sends SIGTERM to the child: its shutdown hooks run. {@link #join} waits until it has ended. */
    public void terminate() {
        ProcessSignal.send(process, "TERM");
    }

    /** Stops the child with SIGSTOP: it keeps its connections and locks, and does nothing. */
    public void suspend() {
        ProcessSignal.send(process, "STOP");
    }

    /** Ends {@link #suspend}. */
    public void resume() {
        ProcessSignal.send(process, "CONT");
    }

    /** Waits until the child ends, and returns its exit code. */
    public int join() {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new AssertionError("the child does not end: " + this);
            }
            for (Thread reader : readers) {
                reader.join(10_000);
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for the child", e);
        }
    }

    /** Kills the child if it is still alive. */
    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The end of the output, and the errors. */
    @Override
    public String toString() {
        List<String> all = List.copyOf(lines);
        return "child " + process.pid() + ", alive " + process.isAlive() + ", last lines "
                + all.subList(Math.max(0, all.size() - 5), all.size()) + ", errors " + problems;
    }
}
