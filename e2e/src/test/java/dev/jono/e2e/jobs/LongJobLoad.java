package dev.jono.e2e.jobs;

import dev.jono.e2e.jobs.LoadCheck.Report;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A program that runs a {@link JobLoad} for long. Its arguments: the backend ({@code sqlite}, {@code redis-oq} or {@code mongo}), the number
 * of jobs, the minutes in which they are enqueued, and the mean number of seconds between two kills. On MongoDB the primary is killed and
 * restarted four times. The exit code is 1 if something is wrong at the end.
 */
final class LongJobLoad {
    private static final int PRIMARIES = 4;

    private LongJobLoad() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("jono-job-load-");
        String backend = arguments[0];
        int count = Integer.parseInt(arguments[1]);
        Duration duration = Duration.ofMinutes(Long.parseLong(arguments[2]));
        Duration killEvery = Duration.ofSeconds(Long.parseLong(arguments[3]));
        Report report;
        switch (backend) {
            case "sqlite" ->
                report = run(
                        settings("sqlite:" + folder.resolve("jobs.db"), count, duration, killEvery),
                        folder,
                        () -> {},
                        0);
            case "redis-oq" -> {
                try (RedisServer redis = RedisServer.builder()
                        .option("appendonly", "yes")
                        .option("appendfsync", "everysec")
                        .start()) {
                    report = run(settings("redis-oq:" + redis.uri(), count, duration, killEvery), folder, () -> {}, 0);
                }
            }
            case "mongo" -> {
                try (MongoReplicaSet set = MongoReplicaSet.start(3)) {
                    AtomicInteger deaths = new AtomicInteger();
                    report = run(
                            settings(JobLoadTest.url(set), count, duration, killEvery),
                            folder,
                            () -> {
                                JobLoadTest.replacePrimary(set);
                                say("primaries killed: " + deaths.incrementAndGet());
                            },
                            PRIMARIES);
                }
            }
            default -> throw new IllegalArgumentException("no such backend: " + backend);
        }
        report.warnings().forEach(LongJobLoad::say);
        report.figures().forEach((name, value) -> say(name + ": " + value));
        report.violations().forEach(LongJobLoad::say);
        say(report.violations().size() + " violations");
        System.exit(report.violations().isEmpty() ? 0 : 1);
    }

    private static JobLoad.Settings settings(String url, int count, Duration duration, Duration killEvery) {
        return new JobLoad.Settings(url, count, duration, killEvery, Duration.ofSeconds(10), Duration.ofMinutes(30));
    }

    private static Report run(JobLoad.Settings settings, Path folder, Runnable fault, int times) {
        try (JobLoad load = new JobLoad(settings, folder)) {
            return load.settle(load.run(fault, times), true);
        }
    }

    @SuppressWarnings("SystemOut") // for the person who runs it
    private static void say(String line) {
        System.out.println(line);
    }
}
