package dev.jono.e2e.jobs;

import dev.jono.JonoException;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.e2e.jobs.LoadTypes.Task;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobRun;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobRunnerBuilder;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.UniqueMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A process of a {@link JobLoad} that runs jobs until its input ends. Its arguments: URL, journal, lease in milliseconds. */
final class LoadRunner {
    private static final int CONCURRENCY = 8;
    private static final int LONGEST_MILLIS = 60;

    private final Jobs jobs;
    private final Journal journal;
    private final Path folder;

    private LoadRunner(Jobs jobs, Path journal) {
        this.jobs = jobs;
        this.journal = new Journal(journal);
        this.folder = journal.resolveSibling("meetings");
    }

    /** Opens a factory for a load. */
    static QueueFactory connect(String url) {
        return QueueFactory.builder(url)
                .queueDefaults(QueueOptions.builder()
                        .operationTimeout(Duration.ofSeconds(60))
                        .pollInterval(Duration.ofSeconds(1))
                        .build())
                .connect();
    }

    /** Opens a factory as soon as the storage has a primary. */
    private static QueueFactory connected(String url) {
        while (true) {
            try {
                return connect(url);
            } catch (JonoException failure) {
                say("not connected: " + failure);
            }
        }
    }

    public static void main(String[] arguments) throws IOException {
        try (QueueFactory jono = connected(arguments[0])) {
            Jobs jobs = Jobs.on(jono);
            LoadRunner handlers = new LoadRunner(jobs, Path.of(arguments[1]));
            JobRunnerBuilder builder =
                    jobs.runner().concurrency(CONCURRENCY).lease(Duration.ofMillis(Long.parseLong(arguments[2])));
            for (JobType<Task, Void> type : LoadTypes.ALL) {
                builder.handle(type, handlers::run);
            }
            JobRunner runner = builder.start();
            say("ready");
            if (System.in.read() != -1) { // otherwise the parent is dead
                say(runner.stop(Duration.ofSeconds(30)) ? "stopped" : "not stopped");
            }
        }
    }

    private Void run(Task task, JobRun run) throws Exception {
        long number = journal.started(run, task);
        try {
            work(task, run);
        } finally {
            journal.ended(number);
        }
        return null;
    }

    private void work(Task task, JobRun run) throws Exception {
        if (task.number() % 4 == 0) {
            run.progress(1, 2);
            run.log("run {} of {}", run.attempt(), task);
        }
        pause(task.number() * 7L % LONGEST_MILLIS);
        switch (task.plan()) {
            case SUCCEED -> {}
            case RETRY -> {
                if (run.attempt() == 1) {
                    throw new IllegalStateException("the first run fails");
                }
            }
            case FAIL -> throw run.fail("as planned");
            case THROW -> throw new IllegalStateException("each run fails");
            case MEET -> meet(run);
            case ADD -> add(task);
        }
    }

    private static void pause(long millis) {
        CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS))
                .join();
    }

    /** Waits until as many runs have come here as may run at the same time. */
    private void meet(JobRun run) throws IOException {
        Files.createDirectories(folder);
        Path mine = folder.resolve(run.id().replace(':', '-'));
        Files.writeString(mine, "");
        Awaitility.await("the others").atMost(Duration.ofSeconds(60)).until(() -> {
            try (Stream<Path> files = Files.list(folder)) {
                return files.count() >= LoadTypes.LIMIT;
            }
        });
    }

    private void add(Task task) {
        Task added = new Task(task.number() + 1, task.group());
        JobHandle<Void> job = jobs.batch(task.group())
                .enqueue(
                        LoadTypes.PART,
                        added,
                        o -> o.unique(task.group() + '/' + task.number(), UniqueMode.within(Duration.ofDays(1))));
        journal.added(job.id(), added);
    }

    @SuppressWarnings("SystemOut") // the parent reads it
    private static void say(String line) {
        System.out.println(line);
    }
}
