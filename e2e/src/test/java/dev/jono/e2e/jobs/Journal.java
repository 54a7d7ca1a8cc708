package dev.jono.e2e.jobs;

import dev.jono.e2e.jobs.LoadTypes.Task;
import dev.jono.jobs.JobRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The runs of handlers in one process, in a file. The system keeps the lines of a killed process. Thread-safe.
 */
final class Journal {
    private static final String START = "start";
    private static final String END = "end";
    private static final String ADDED = "added";

    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicLong runs = new AtomicLong();
    private final Writer file;

    Journal(Path path) {
        try {
            file = Files.newBufferedWriter(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A run of a handler.
     *
     * @param process the name of the file
     * @param job the id of the job
     * @param attempt the number of the run
     * @param group of its payload
     * @param number of its payload
     * @param start in microseconds
     * @param end in microseconds; that of the process if it was killed meanwhile
     * @param cut whether the process was killed meanwhile
     */
    record Run(String process, String job, int attempt, String group, int number, long start, long end, boolean cut) {
        String type() {
            return job.substring(0, job.indexOf(':'));
        }
    }

    /** Now, in microseconds. */
    static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** Notes the start of a run, and returns its number for {@link #ended}. */
    long started(JobRun run, Task task) {
        long number = runs.incrementAndGet();
        write(START
                + ' '
                + number
                + ' '
                + now()
                + ' '
                + run.id()
                + ' '
                + run.attempt()
                + ' '
                + task.group()
                + ' '
                + task.number());
        return number;
    }

    void ended(long number) {
        write(END + ' ' + number + ' ' + now());
    }

    /** Notes that an enqueue of a job was answered. */
    void added(String job, Task task) {
        write(ADDED + ' ' + job + ' ' + task.number() + ' ' + task.group() + ' ' + task.plan());
    }

    private void write(String line) {
        lock.lock();
        try {
            file.write(line + '\n');
            file.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    private static Stream<String[]> lines(Path path) {
        try {
            return Files.readAllLines(path).stream().map(line -> line.split(" ", -1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> files(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".journal"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads all journals in a folder.
     *
     * @param killed when a process was killed, in microseconds
     */
    static List<Run> read(Path folder, ToLongFunction<String> killed) {
        List<Run> all = new ArrayList<>();
        for (Path file : files(folder)) {
            String process = file.getFileName().toString();
            Map<String, String[]> starts = new LinkedHashMap<>();
            Map<String, Long> ends = new LinkedHashMap<>();
            lines(file).forEach(line -> {
                if (line[0].equals(START)) {
                    starts.put(line[1], line);
                } else if (line[0].equals(END)) {
                    ends.put(line[1], Long.valueOf(line[2]));
                }
            });
            starts.forEach((number, line) -> {
                Long end = ends.get(number);
                all.add(new Run(
                        process,
                        line[3],
                        Integer.parseInt(line[4]),
                        line[5],
                        Integer.parseInt(line[6]),
                        Long.parseLong(line[2]),
                        end != null ? end : killed.applyAsLong(process),
                        end == null));
            });
        }
        return all;
    }

    /** The jobs that runs have added, by id. */
    static Map<String, Task> added(Path folder) {
        Map<String, Task> all = new LinkedHashMap<>();
        for (Path file : files(folder)) {
            lines(file)
                    .filter(line -> line[0].equals(ADDED))
                    .forEach(line -> all.put(
                            line[1], new Task(Integer.parseInt(line[2]), line[3], LoadTypes.Plan.valueOf(line[4]))));
        }
        return all;
    }
}
