package dev.jono.examples.farm;

import dev.jono.Backoff;
import dev.jono.QueueFactory;
import dev.jono.jobs.JobBatchHandler;
import dev.jono.jobs.JobEvent;
import dev.jono.jobs.JobInBatch;
import dev.jono.jobs.JobLogger;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobRunnerBuilder;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A farm of queues. Tasks of one queue are handled one after the other, in their order, by whichever process is free. Tasks of different
 * queues are handled at the same time. Queues need no declaration: a queue is the ordering key of its tasks.
 */
public final class Farm implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Farm.class);

    private final QueueFactory jono;
    private final Jobs jobs;
    private final JobType<Task, Void> tasks;

    /**
     * Connects to the storage.
     *
     * @param storage URL of the storage, such as {@code sqlite:/var/lib/farm.db}
     * @param backoff the delay between two attempts
     */
    public Farm(String storage, Backoff backoff) {
        this.jono = QueueFactory.connect(storage);
        this.jobs = Jobs.on(jono);
        this.tasks = JobType.of("farm", Task.class)
                .key(Task::queue)
                .maxAttempts(3)
                .timeout(Duration.ofSeconds(30))
                .backoff(backoff)
                .keep(Duration.ZERO, Duration.ofDays(1)); // a task that was handled leaves nothing
    }

    /** Adds a task to the end of a queue; returns its id. */
    public String push(String queue, String data) {
        return jobs.enqueue(tasks, new Task(queue, data)).id();
    }

    /** Deletes a task; returns false if it is being handled, or was handled before. */
    public boolean delete(String id) {
        return jobs.remove(id);
    }

    /** Logs what happens to tasks in all processes, but not each task that is pushed. */
    public void log() {
        jobs.on(JobLogger.without(JobEvent.Kind.ENQUEUED));
    }

    /** Handles tasks, up to {@code batchSize} of a queue at once, until the runner is stopped. */
    public JobRunner listen(int concurrency, int batchSize, TaskHandler handler) {
        return runner(concurrency, batchSize, handler).start();
    }

    /** Handles tasks until no queue has one, in any process; returns false if that takes longer than the timeout. */
    public boolean drain(int concurrency, int batchSize, TaskHandler handler, Duration timeout)
            throws InterruptedException {
        return runner(concurrency, batchSize, handler).runUntilIdle(timeout);
    }

    private JobRunnerBuilder runner(int concurrency, int batchSize, TaskHandler handler) {
        JobBatchHandler<Task, Void> batches = batch -> handle(batch, handler);
        return jobs.runner().concurrency(concurrency * batchSize).handleBatch(tasks, batchSize, batches);
    }

    /** A batch has tasks of one queue; with a limit above 1 per key it could have several. */
    private static void handle(List<JobInBatch<Task, Void>> batch, TaskHandler handler) throws Exception {
        Map<String, List<JobInBatch<Task, Void>>> queues = new LinkedHashMap<>();
        for (JobInBatch<Task, Void> job : batch) {
            queues.computeIfAbsent(job.payload().queue(), queue -> new ArrayList<>())
                    .add(job);
        }
        for (Map.Entry<String, List<JobInBatch<Task, Void>>> each : queues.entrySet()) {
            handler.handle(
                    each.getKey(),
                    each.getValue().stream().map(job -> job.payload().data()).toList());
            for (JobInBatch<Task, Void> job : each.getValue()) {
                job.succeed(null);
            }
        }
    }

    @Override
    public void close() {
        jono.close();
    }

    /** Arguments: {@code STORAGE_URL listen}, {@code STORAGE_URL drain}, or {@code STORAGE_URL push QUEUE DATA}. */
    public static void main(String[] args) throws InterruptedException {
        List<String> words = List.of(args);
        String command = words.size() < 2 ? "" : words.get(1);
        TaskHandler handler = (queue, data) -> LOG.info("tasks of {}: {}", queue, data);
        try (Farm farm = new Farm(words.isEmpty() ? "" : words.get(0), Backoff.standard())) {
            switch (command) {
                case "push" -> LOG.info("pushed {}", farm.push(words.get(2), words.get(3)));
                case "drain" -> farm.drain(4, 10, handler, Duration.ofMinutes(10));
                case "listen" -> {
                    farm.log();
                    farm.listen(4, 10, handler);
                    new CountDownLatch(1).await(); // Jono's threads are daemon threads
                }
                default -> throw new IllegalArgumentException("expected: STORAGE_URL listen | drain | push QUEUE DATA");
            }
        }
    }
}
