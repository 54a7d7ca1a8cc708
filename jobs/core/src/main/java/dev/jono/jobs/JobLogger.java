package dev.jono.jobs;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs events of jobs: failures and expiries as warnings, other events at level info. The logger is {@code dev.jono.jobs.events}.
 * Thread-safe.
 *
 * <pre>{@code
 * jobs.on(JobLogger.without(JobEvent.Kind.ENQUEUED, JobEvent.Kind.PROGRESS));
 * }</pre>
 */
public final class JobLogger implements JobEventListener {
    private final Logger log;
    private final Set<JobEvent.Kind> leftOut;

    JobLogger(Logger log, Set<JobEvent.Kind> leftOut) {
        this.log = log;
        this.leftOut = leftOut;
    }

    /** Logs all events. */
    public static JobLogger all() {
        return without();
    }

    /** Logs events of other kinds than these. */
    public static JobLogger without(JobEvent.Kind... kinds) {
        EnumSet<JobEvent.Kind> leftOut = EnumSet.noneOf(JobEvent.Kind.class);
        leftOut.addAll(Arrays.asList(kinds));
        return new JobLogger(LoggerFactory.getLogger("dev.jono.jobs.events"), leftOut);
    }

    @Override
    public void onEvent(JobEvent event) {
        if (leftOut.contains(event.kind())) {
            return;
        }
        String id = event.jobId();
        int attempt = event.attempt();
        String reason = event.reason();
        switch (event.kind()) {
            case ENQUEUED -> log.info("job {} is enqueued", id);
            case DEDUPLICATED -> log.info("an enqueue was a duplicate of job {}", id);
            case STARTED -> log.info("job {} has started, attempt {}", id, attempt);
            case PROGRESS -> logProgress(event);
            case RETRYING -> log.warn("attempt {} of job {} has failed, the job is retried: {}", attempt, id, reason);
            case SUCCEEDED -> log.info("job {} has succeeded at attempt {}", id, attempt);
            case FAILED -> log.warn("job {} has failed at attempt {}: {}", id, attempt, reason);
            case CANCELLED -> log.info("job {} was cancelled: {}", id, reason);
            case EXPIRED -> log.warn("job {} has expired: {}", id, reason);
            case REMOVED -> log.info("job {} was removed", id);
            case SNOOZED -> log.info("job {} is snoozed, attempt {} does not count", id, attempt);
            case INTERRUPTED -> log.info("attempt {} of job {} was interrupted and does not count", attempt, id);
        }
    }

    private void logProgress(JobEvent event) {
        JobProgress progress = event.progress();
        if (progress != null) {
            log.info("job {}: {} of {} ({} %)", event.jobId(), progress.done(), progress.total(), progress.percent());
        }
    }
}
