package dev.jono.e2e.jobs;

import dev.jono.StorageException;
import dev.jono.e2e.jobs.LoadTypes.Plan;
import dev.jono.e2e.jobs.LoadTypes.Task;
import dev.jono.jobs.BatchOptions;
import dev.jono.jobs.JobBatch;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Enqueues the jobs of a {@link JobLoad}, spread over its duration, and records each answer. */
final class LoadProducer {
    /** The longest time in which the storage may refuse enqueues. */
    private static final Duration OUTAGE = Duration.ofMinutes(1);

    private static final int ORDERING_KEYS = 16;
    private static final int UNIQUE_KEYS = 12;
    /** The jobs of a batch. */
    static final int PARTS = 12;

    private final Jobs jobs;
    private final Duration duration;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final List<CompletableFuture<Void>> producers = new ArrayList<>();
    private final Queue<RuntimeException> failures = new ConcurrentLinkedQueue<>();
    private final Map<String, Enqueued> enqueued = new ConcurrentHashMap<>();
    private final Queue<String> duplicates = new ConcurrentLinkedQueue<>();
    /** The names of the batches, and whether all their jobs must succeed. */
    private final Map<String, Boolean> batches = new ConcurrentHashMap<>();

    /**
     * A job whose enqueue was answered.
     *
     * @param answered when, in microseconds
     */
    record Enqueued(JobType<Task, Void> type, Task task, long answered) {}

    /** Something that is done again and again, with the number of the time. */
    private interface Step {
        void run(int number);
    }

    /** Starts to enqueue. */
    LoadProducer(Jobs jobs, int count, Duration duration) {
        this.jobs = jobs;
        this.duration = duration;
        start(count * 28 / 100, this::plain);
        start(count * 2 / 100, n -> enqueue(LoadTypes.FAILING, new Task(n, "none", Plan.THROW)));
        start(count * 20 / 100, n -> ordered(n));
        for (int half = 0; half < 2; half++) { // the two compete for the keys
            start(count * 8 / 100, n -> enqueue(LoadTypes.UNIQUE, grouped(n, "u", UNIQUE_KEYS)));
            start(count * 4 / 100, n -> enqueue(LoadTypes.COALESCED, grouped(n, "c", UNIQUE_KEYS)));
        }
        start(count * 8 / 100, n -> enqueue(LoadTypes.LIMITED, new Task(n, "none")));
        start(count * 18 / 100 / PARTS, this::batch);
    }

    private void start(int count, Step step) {
        producers.add(
                CompletableFuture.runAsync(() -> repeat(count, step), run -> new Thread(run, "load-producer").start()));
    }

    private void repeat(int count, Step step) {
        try {
            long begin = Journal.now();
            for (int i = 0; i < count; i++) {
                long due = begin + TimeUnit.NANOSECONDS.toMicros(duration.toNanos()) * i / count;
                if (ended.await(due - Journal.now(), TimeUnit.MICROSECONDS)) {
                    return;
                }
                try {
                    step.run(i);
                } catch (RuntimeException failure) {
                    failures.add(failure);
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Plan plan(int number) {
        return number % 10 == 3 ? Plan.RETRY : number % 50 == 7 ? Plan.FAIL : Plan.SUCCEED;
    }

    private static Task grouped(int number, String prefix, int groups) {
        return new Task(number, prefix + number % groups, plan(number));
    }

    private void plain(int number) {
        Task task = new Task(number, "none", plan(number));
        if (number % 20 == 0) {
            JobHandle<Void> job = untilAnswered(
                    () -> jobs.enqueue(LoadTypes.PLAIN, task, options -> options.delay(Duration.ofMillis(500))));
            answered(LoadTypes.PLAIN, task, job);
        } else {
            enqueue(LoadTypes.PLAIN, task);
        }
    }

    private void ordered(int number) {
        enqueue(LoadTypes.ORDERED, grouped(number, "k", ORDERING_KEYS));
    }

    private void enqueue(JobType<Task, Void> type, Task task) {
        answered(type, task, untilAnswered(() -> jobs.enqueue(type, task)));
    }

    /** Repeats an enqueue that has certainly not stored its job, as applications do while no server of the storage answers. */
    private static JobHandle<Void> untilAnswered(Supplier<JobHandle<Void>> enqueue) {
        long end = Journal.now() + TimeUnit.NANOSECONDS.toMicros(OUTAGE.toNanos());
        while (true) {
            try {
                return enqueue.get();
            } catch (StorageException notDone) {
                if (Journal.now() > end) {
                    throw notDone;
                }
            }
        }
    }

    private void answered(JobType<Task, Void> type, Task task, JobHandle<Void> job) {
        if (job.duplicate()) {
            duplicates.add(job.id());
        } else {
            Enqueued before = enqueued.put(job.id(), new Enqueued(type, task, Journal.now()));
            if (before != null) {
                failures.add(new IllegalStateException("one id for two jobs: " + job.id()));
            }
        }
    }

    /** One of five batches has a job that fails. */
    private void batch(int number) {
        String name = "b" + number;
        boolean succeeds = number % 5 != 0;
        batches.put(name, succeeds);
        JobBatch batch = jobs.batch(name, options -> callbacks(options, name));
        List<Task> tasks = new ArrayList<>();
        for (int i = 0; i < PARTS; i++) {
            tasks.add(new Task(i * PARTS, name, i == 1 ? Plan.ADD : i == 2 && !succeeds ? Plan.FAIL : plan(i * 3)));
        }
        List<JobHandle<Void>> handles = batch.enqueueAll(LoadTypes.PART, tasks, options -> options);
        for (int i = 0; i < PARTS; i++) {
            answered(LoadTypes.PART, tasks.get(i), handles.get(i));
        }
        batch.close();
    }

    private static BatchOptions callbacks(BatchOptions options, String batch) {
        return options.onComplete(LoadTypes.CALLBACK, new Task(0, batch))
                .onSuccess(LoadTypes.CALLBACK, new Task(1, batch))
                .onFailure(LoadTypes.CALLBACK, new Task(2, batch));
    }

    boolean isDone() {
        return producers.stream().allMatch(CompletableFuture::isDone);
    }

    /** Waits until all jobs are enqueued. */
    void join() {
        producers.forEach(CompletableFuture::join);
    }

    /** Enqueues no more. */
    void end() {
        ended.countDown();
        join();
    }

    /** Enqueues a job now. */
    JobHandle<Void> enqueueNow(JobType<Task, Void> type, Task task) {
        JobHandle<Void> job = jobs.enqueue(type, task);
        answered(type, task, job);
        return job;
    }

    /** The answered enqueues, by the id of the job. */
    Map<String, Enqueued> enqueued() {
        return enqueued;
    }

    /** The ids of the owners of duplicates. */
    Queue<String> duplicates() {
        return duplicates;
    }

    Map<String, Boolean> batches() {
        return batches;
    }

    /** The unique keys that were used, by the type. */
    static Map<JobType<Task, Void>, Set<String>> uniqueKeys() {
        Set<String> untilDone = new TreeSet<>();
        Set<String> untilStarted = new TreeSet<>();
        for (int i = 0; i < UNIQUE_KEYS; i++) {
            untilDone.add("u" + i);
            untilStarted.add("c" + i);
        }
        return Map.of(LoadTypes.UNIQUE, untilDone, LoadTypes.COALESCED, untilStarted);
    }

    Queue<RuntimeException> failures() {
        return failures;
    }
}
