package dev.jono.cli;

import dev.jono.Durations;
import dev.jono.jobs.JobRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a command reports about its job, by lines of its standard output. A thread reads them, because reading cannot be interrupted.
 * The getters are for the thread of the handler, after {@link #awaitEnd}.
 */
final class ShellReports {
    private final JobRun run;
    private final Thread reader;
    private byte @Nullable [] result;
    private @Nullable String failure;
    private @Nullable Duration snooze;

    private ShellReports(InputStream output, JobRun run) {
        this.run = run;
        this.reader = new Thread(() -> readAll(output), "jono-command-reader");
        reader.setDaemon(true);
    }

    /** Begins to read. */
    static ShellReports read(InputStream output, JobRun run) {
        ShellReports reports = new ShellReports(output, run);
        reports.reader.start();
        return reports;
    }

    /** Waits until the output has ended, or was closed by its last process. */
    void awaitEnd() throws InterruptedException {
        reader.join();
    }

    private void readAll(InputStream output) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                report(line);
            }
        } catch (IOException killed) {
            // The handler was interrupted, and has killed the command.
        }
    }

    private void report(String line) {
        try {
            if (line.startsWith("::progress ")) {
                String[] numbers = line.substring(11).strip().split("\\s+", -1);
                run.progress(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
            } else if (line.startsWith("::result ")) {
                result = line.substring(9).strip().getBytes(StandardCharsets.UTF_8);
            } else if (line.startsWith("::fail ")) {
                failure = line.substring(7).strip();
            } else if (line.startsWith("::snooze ")) {
                snooze = Durations.parse(line.substring(9).strip());
            } else {
                run.log("{}", line);
            }
        } catch (IllegalArgumentException | ArithmeticException | ArrayIndexOutOfBoundsException refused) {
            run.log("{} (ignored: {})", line, ErrorLine.of(refused));
        }
    }

    /** The JSON of the result; null if none was reported. */
    byte @Nullable [] result() {
        return result;
    }

    /** The reason of the failure; null if none was reported. */
    @Nullable String failure() {
        return failure;
    }

    /** The delay; null if none was reported. */
    @Nullable Duration snooze() {
        return snooze;
    }
}
