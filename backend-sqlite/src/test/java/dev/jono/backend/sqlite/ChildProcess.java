package dev.jono.backend.sqlite;

import dev.jono.JonoClock;
import dev.jono.spi.Backend;
import dev.jono.spi.QueueStore;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Another process for the tests, and its main programs. A program prints {@code ready} when it has started. */
final class ChildProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;

    private ChildProcess(Process process) {
        this.process = process;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Starts a program, with options for its JVM, and waits until it is ready. */
    static ChildProcess start(String what, Path file, String... options) throws IOException {
        ChildProcess child = new ChildProcess(command(what, file, options)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        String first = child.line();
        if (!first.equals("ready")) {
            child.close();
            throw new IOException("the child process printed '" + first + "' instead of 'ready'");
        }
        return child;
    }

    /** Starts a program that fails; returns its standard error without stack traces. */
    static String failure(String what, Path file, String... options) throws IOException {
        Process process = command(what, file, options).start();
        process.getOutputStream().close();
        String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        process.onExit().join();
        return said.lines()
                .filter(line -> !line.startsWith("\t"))
                .collect(Collectors.joining("\n"))
                .replace("Exception in thread \"main\" ", "");
    }

    private static ProcessBuilder command(String what, Path file, String... options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(options));
        command.add("-cp");
        command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        command.addAll(List.of(ChildProcess.class.getName(), what, file.toString()));
        return new ProcessBuilder(command);
    }

    String line() throws IOException {
        String line = output.readLine();
        return line == null ? "" : line;
    }

    /** Lets the program continue. */
    void go() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
    }

    /** As {@code kill -9}. */
    void kill() {
        process.toHandle().destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void close() {
        kill();
    }

    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "push" -> push(file);
            case "echo" -> echo(file);
            case "exclusive" -> exclusive(file);
            case "push-until-full" -> pushUntilFull(file);
            case "turn" -> turn(file);
            case "transaction" -> transaction(file);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void ready() throws IOException {
        System.out.println("ready");
        if (System.in.read() < 0) {
            throw new IOException("the parent process has ended");
        }
    }

    /** Pushes messages one by one for two seconds, and prints their number. */
    private static void push(Path file) throws Exception {
        try (Backend backend = Fixture.open(file)) {
            QueueStore queue = Fixture.queue(backend, "orders");
            for (int i = 0; i < 50; i++) {
                Fixture.insert(queue, "warm");
            }
            ready();
            JonoClock clock = JonoClock.system();
            long end = clock.nanos() + TimeUnit.SECONDS.toNanos(2);
            int pushed = 0;
            while (clock.nanos() - end < 0) {
                Fixture.insert(queue, "m");
                pushed++;
            }
            System.out.println(pushed);
        }
    }

    /** Takes messages from {@code ping} at each signal, and inserts their texts into {@code pong}. */
    private static void echo(Path file) throws Exception {
        try (Backend backend = Fixture.open(file);
                Signaller signaller =
                        new SqliteSignallerProvider().open(Fixture.config("sqlite:" + file, JonoClock.system()))) {
            QueueStore ping = Fixture.queue(backend, "ping");
            QueueStore pong = Fixture.queue(backend, "pong");
            Semaphore signals = new Semaphore(0);
            Signaller.Subscription listening = signaller.subscribe("ping", new Signaller.Listener() {
                @Override
                public void onSignal(Signal signal) {
                    signals.release();
                }

                @Override
                public void onGap() {
                    signals.release();
                }
            });
            // The first gap shows that the watcher is running.
            signals.acquire();
            System.out.println("ready");
            while (true) {
                signals.acquire();
                List<String> texts = Fixture.texts(Fixture.take(ping, 10).messages());
                if (texts.contains("stop")) {
                    break;
                }
                if (!texts.isEmpty()) {
                    Fixture.insert(pong, texts.toArray(new String[0]));
                }
            }
            listening.close();
        }
    }

    /** Holds a transaction open, as another program would. */
    private static void exclusive(Path file) throws Exception {
        try (SqliteConnection connection = SqliteConnection.create(file)) {
            connection.executeOnce("BEGIN EXCLUSIVE");
            ready();
            connection.executeOnce("COMMIT");
        }
    }

    /** Fills the disk, prints the number of stored messages, and keeps the file open. */
    private static void pushUntilFull(Path file) throws Exception {
        try (Backend backend = Fixture.open(file)) {
            int pushed =
                    FullDiskTest.pushUntilFull(Fixture.queue(backend, "orders")).size();
            System.out.println("ready");
            System.out.println(pushed);
            if (System.in.read() < 0) {
                throw new IOException("the parent process has ended");
            }
        }
    }

    /** Holds the turn. */
    private static void turn(Path file) throws Exception {
        try (WriteTurn turn = new WriteTurn(file, JonoClock.system(), 1000)) {
            turn.acquire();
            ready();
        }
    }

    /** Holds the turn in the middle of a transaction. */
    private static void transaction(Path file) throws Exception {
        try (WriteTurn turn = new WriteTurn(file, JonoClock.system(), 1000);
                SqliteConnection connection = SqliteConnection.open(file, 1000)) {
            turn.acquire();
            connection.executeOnce("PRAGMA cache_size=10");
            connection.executeOnce(Sql.BEGIN);
            connection.executeOnce("INSERT INTO message(queue, due, lease, claim, tries, kind, pushed, payload)"
                    + " WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<2000)"
                    + " SELECT 1, 1, 1, " + Sql.UNCLAIMED + ", 0, 2, 1, randomblob(500) FROM n");
            ready();
        }
    }
}
