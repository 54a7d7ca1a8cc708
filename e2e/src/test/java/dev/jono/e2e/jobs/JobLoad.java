package dev.jono.e2e.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.QueueFactory;
import dev.jono.e2e.jobs.LoadTypes.Plan;
import dev.jono.e2e.jobs.LoadTypes.Task;
import dev.jono.jobs.BatchView;
import dev.jono.jobs.JobState;
import dev.jono.jobs.Jobs;
import dev.jono.testkit.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A load of jobs of all kinds, whose runners are killed again and again. Each runner is a process, which notes the runs of its handlers in
 * a journal. This process enqueues the jobs. Used by one thread.
 */
final class JobLoad implements AutoCloseable {
    /** The schedules; each has an occurrence every second. */
    static final List<String> SCHEDULES = List.of("tick-a", "tick-b");

    private static final int RUNNERS = 3;

    private final Settings settings;
    private final Path folder;
    private final QueueFactory jono;
    private final Jobs jobs;
    private final Random random = new Random(17);
    private final List<Runner> runners = new ArrayList<>();
    private final Map<String, Long> killed = new LinkedHashMap<>();
    private final Map<String, Instant> firstOccurrences = new LinkedHashMap<>();
    private final List<String> warnings = new ArrayList<>();
    private int started;

    /**
     * What a load does.
     *
     * @param url of the queues
     * @param count how many jobs are enqueued
     * @param duration the time in which they are enqueued, and runners are killed
     * @param killEvery the mean time between two kills
     * @param lease of the runners
     * @param patience how long the jobs may need after the last kill
     */
    record Settings(String url, int count, Duration duration, Duration killEvery, Duration lease, Duration patience) {}

    private record Runner(String name, ChildJvm process) {
        boolean isReady() {
            return process.lines().contains("ready");
        }
    }

    /** Starts the runners. */
    JobLoad(Settings settings, Path folder) {
        this.settings = settings;
        this.folder = folder;
        this.jono = LoadRunner.connect(settings.url);
        this.jobs = Jobs.on(jono);
        for (int i = 0; i < RUNNERS; i++) {
            runners.add(startRunner());
        }
        awaitRunners();
    }

    private Runner startRunner() {
        String name = "runner-" + ++started + ".journal";
        return new Runner(
                name,
                ChildJvm.start(
                        List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"),
                        LoadRunner.class,
                        settings.url,
                        folder.resolve(name).toString(),
                        String.valueOf(settings.lease.toMillis())));
    }

    private void awaitRunners() {
        await("the runners", () -> runners.stream().allMatch(Runner::isReady));
    }

    /**
     * Enqueues the jobs, and kills runners meanwhile.
     *
     * @param fault another fault
     * @param times how often it happens, at equal intervals
     */
    LoadProducer run(Runnable fault, int times) {
        for (String name : SCHEDULES) {
            firstOccurrences.put(
                    name,
                    jobs.schedule(name, "* * * * * *", ZoneOffset.UTC, LoadTypes.TICK, new Task(0, name))
                            .next()
                            .orElseThrow());
        }
        LoadProducer producer = new LoadProducer(jobs, settings.count, settings.duration);
        CompletableFuture<Void> faults = CompletableFuture.runAsync(
                () -> {
                    for (int i = 0; i < times; i++) {
                        pause(settings.duration.dividedBy(times + 1));
                        fault.run();
                    }
                },
                task -> new Thread(task, "load-faults").start());
        while (!producer.isDone()) {
            pause(settings.killEvery.multipliedBy(50 + random.nextInt(100)).dividedBy(100));
            killOne();
        }
        producer.join();
        faults.join();
        SCHEDULES.forEach(jobs::pauseSchedule);
        return producer;
    }

    private static void pause(Duration time) {
        CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS))
                .join();
    }

    /** Kills a runner, when all run: on a busy machine, processes would be killed faster than they start. */
    private void killOne() {
        int index = random.nextInt(runners.size());
        Runner old = runners.get(index);
        awaitRunners();
        runners.set(index, startRunner());
        old.process.kill();
        killed.put(old.name, Journal.now());
        note(old);
    }

    private void note(Runner runner) {
        runner.process.problems().stream()
                .filter(line -> !line.contains("failed at attempt"))
                .map(line -> runner.name + ": " + line)
                .forEach(warnings::add);
    }

    /** Lets the remaining jobs run, and returns what is wrong then, and the figures. */
    LoadCheck.Report settle(LoadProducer producer, boolean awaitBatches) {
        awaitRunners();
        awaitIdle();
        if (awaitBatches) {
            await(
                    "all batches to be complete",
                    () -> producer.batches().keySet().stream()
                            .allMatch(name -> jobs.findBatch(name)
                                    .map(BatchView::state)
                                    .orElseThrow()
                                    .isComplete()));
        }
        List<String> held = new ArrayList<>();
        LoadProducer.uniqueKeys()
                .forEach((type, keys) -> keys.forEach(key -> {
                    if (producer.enqueueNow(type, new Task(1_000_000, key)).duplicate()) {
                        held.add("unique key " + key + " of " + type + " is not free");
                    }
                }));
        for (int i = 0; i < LoadTypes.LIMIT; i++) {
            producer.enqueueNow(LoadTypes.LIMITED, new Task(1_000_000, "none", Plan.MEET));
        }
        awaitIdle();
        stopRunners();
        LoadCheck check = new LoadCheck(jono, producer, folder, killed);
        return check.report(held, firstOccurrences, warnings);
    }

    /** Twice, because a job can move between two queues while they are counted. */
    private void awaitIdle() {
        for (int i = 0; i < 2; i++) {
            await(
                    "no job to wait or run",
                    () -> jobs.counts().values().stream()
                            .allMatch(states -> states.keySet().stream().allMatch(JobState::isEnded)));
        }
    }

    private void await(String what, BooleanSupplier holds) {
        try {
            Awaitility.await(what)
                    .pollInterval(Duration.ofMillis(100))
                    .atMost(settings.patience)
                    .until(holds::getAsBoolean);
        } catch (ConditionTimeoutException late) {
            throw new AssertionError("waited for " + what + ", have " + jobs.counts() + " and " + runners, late);
        }
    }

    private void stopRunners() {
        for (Runner runner : runners) {
            runner.process.send("stop");
            assertThat(runner.process.join()).as("%s", runner.process).isZero();
            assertThat(runner.process.lines()).contains("stopped");
            note(runner);
        }
    }

    @Override
    public void close() {
        runners.forEach(runner -> runner.process.close());
        jono.close();
    }
}
