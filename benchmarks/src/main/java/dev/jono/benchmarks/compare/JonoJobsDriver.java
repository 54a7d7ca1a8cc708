package dev.jono.benchmarks.compare;

import dev.jono.QueueFactory;
import dev.jono.benchmarks.Callers;
import dev.jono.benchmarks.QueueClient.Step;
import dev.jono.jobs.JobRunner;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Drives Jono's jobs on the backend of a URL, with the default settings: records of succeeded jobs are kept for 24 hours. A
 * message is the payload of a job. Jobs are enqueued in lists of 100 by four callers. With the setting {@code keys}, the jobs
 * have this many ordering keys.
 */
final class JonoJobsDriver implements Driver {
    private static final int LIST = 100;
    private static final int CALLERS = 4;
    private static final Duration STOP = Duration.ofSeconds(20);

    private final QueueFactory jono;
    private final Jobs jobs;
    private final JobType<String, Void> type;
    private final @Nullable KeyOrder order;
    private final Callers callers = new Callers();
    private long recordsBefore;

    JonoJobsDriver(Map<String, String> settings) {
        this.jono = QueueFactory.connect(Drivers.need(settings, "url"));
        this.jobs = Jobs.on(jono);
        JobType<String, Void> plain = JobType.of(Drivers.need(settings, "queue"), String.class);
        int keys = Drivers.number(settings, "keys", 0);
        if (keys % CALLERS != 0) {
            throw new IllegalArgumentException("the keys are not a multiple of the callers: " + keys);
        }
        this.order = keys == 0 ? null : new KeyOrder(keys);
        this.type = order == null ? plain : plain.key(order::key);
    }

    /** Enqueues every fourth job by the same caller, so that jobs with the same key are enqueued in the order of their numbers. */
    @Override
    public void push(Payloads payloads, int width) throws Exception {
        callers.each(CALLERS, CALLERS, caller -> {
            List<String> texts = IntStream.range(0, payloads.count())
                    .filter(index -> index % CALLERS == caller)
                    .mapToObj(payloads::text)
                    .toList();
            for (int from = 0; from < texts.size(); from += LIST) {
                var unused = jobs.enqueueAll(type, texts.subList(from, Math.min(from + LIST, texts.size())), o -> o);
            }
        });
    }

    @Override
    public void prepare(Step step, int width) {
        recordsBefore = succeeded();
    }

    /** Runs the jobs. They count as settled when the runner has stopped, because then all their ends are stored. */
    @Override
    public void take(Step step, TakeProgress progress, int width) throws Exception {
        AtomicInteger ran = new AtomicInteger();
        CompletableFuture<Void> all = new CompletableFuture<>();
        progress.whenStopped().thenRun(() -> all.complete(null));
        JobRunner runner = jobs.runner()
                .concurrency(width)
                .handle(type, (text, run) -> {
                    progress.arrived(text);
                    if (order != null) {
                        order.ran(text);
                    }
                    if (ran.incrementAndGet() == progress.expected()) {
                        all.complete(null);
                    }
                    return null;
                })
                .start();
        all.get();
        if (!runner.stop(STOP)) {
            throw new IllegalStateException("the runner has not stopped within " + STOP);
        }
        progress.settled(ran.get());
        progress.stop();
        check(ran.get());
    }

    private void check(int ran) {
        long records = succeeded() - recordsBefore;
        if (records != ran) {
            throw new IllegalStateException(ran + " jobs have run, and " + records + " are recorded as succeeded");
        }
        if (order != null) {
            order.check();
        }
    }

    private long succeeded() {
        return Objects.requireNonNullElse(
                jobs.counts().getOrDefault(type.name(), Map.of()).get(JobState.SUCCEEDED), 0L);
    }

    @Override
    public void close() {
        callers.close();
        jono.close();
    }
}
