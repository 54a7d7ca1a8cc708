package dev.jono.micrometer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.Interceptor;
import dev.jono.Message;
import dev.jono.jobs.JobEvent;
import dev.jono.jobs.JobEventFilter;
import dev.jono.jobs.JobListening;
import dev.jono.jobs.Jobs;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of the jobs that run in this process: how long runs take, by type and outcome, and how long jobs were due before they started.
 * Needs {@code jono-jobs}. Thread-safe.
 *
 * <pre>{@code
 * JonoJobMetrics metrics = JonoJobMetrics.create(registry);
 * QueueFactory jono = QueueFactory.builder(url).interceptor(metrics).connect();
 * metrics.listenTo(Jobs.on(jono));
 * }</pre>
 */
public final class JonoJobMetrics implements Interceptor {
    /** More runs than this at one time are not measured. Runs whose end is never heard of must not stay for ever. */
    private static final int MAX_RUNS = 10_000;

    private final MeterRegistry registry;
    private final ReentrantLock lock = new ReentrantLock();

    /** The runs that have begun, by the id of the job. */
    @GuardedBy("lock") private final Map<String, Instant> begun = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Instant> eldest) {
            return size() > MAX_RUNS;
        }
    };

    private JonoJobMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Metrics that are registered with a registry. */
    public static JonoJobMetrics create(MeterRegistry registry) {
        return new JonoJobMetrics(Objects.requireNonNull(registry, "registry"));
    }

    /** Begins to measure runs. Jobs that run in other processes are not measured here. */
    public JobListening listenTo(Jobs jobs) {
        return jobs.on(
                JobEventFilter.all().local().without(JobEvent.Kind.ENQUEUED, JobEvent.Kind.PROGRESS), this::onEvent);
    }

    private void onEvent(JobEvent event) {
        if (event.kind() == JobEvent.Kind.STARTED) {
            begin(event);
            return;
        }
        Instant start = end(event);
        if (start != null) {
            Timer.builder("jono.job.duration")
                    .description("Runs of jobs, by how they ended")
                    .tags("type", event.type(), "outcome", event.kind().name().toLowerCase(Locale.ROOT))
                    .register(registry)
                    .record(notNegative(Duration.between(start, event.time())));
        }
    }

    private void begin(JobEvent event) {
        lock.lock();
        try {
            begun.put(event.jobId(), event.time());
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Instant end(JobEvent event) {
        lock.lock();
        try {
            return begun.remove(event.jobId());
        } finally {
            lock.unlock();
        }
    }

    /** Records how long the jobs of a batch were due. The clocks of the host and of the storage can differ by some milliseconds. */
    @Override
    public void handleAll(List<? extends Message<?>> messages, Handling handling) throws Exception {
        Optional<String> type = Jobs.typeOfQueue(messages.get(0).queue());
        if (type.isPresent()) {
            Timer wait = Timer.builder("jono.job.wait")
                    .description("How long jobs were due before they started")
                    .tags("type", type.get())
                    .register(registry);
            Instant now = Instant.ofEpochMilli(registry.config().clock().wallTime());
            messages.forEach(message -> wait.record(notNegative(Duration.between(message.dueAt(), now))));
        }
        handling.proceed();
    }

    private static Duration notNegative(Duration duration) {
        return duration.isNegative() ? Duration.ZERO : duration;
    }
}
