package dev.jono.dashboard.internal.source;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.jobs.JobAttempt;
import dev.jono.jobs.JobProgress;
import dev.jono.jobs.JobView;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A job as it is shown. Names and meanings are those of {@link JobView}; what the job does not have is null.
 *
 * @param state the state, in lower case
 * @param priority the priority, in lower case
 * @param after the ids of the jobs after which it starts
 * @param waitsFor what it waits for; null in lists, which do not read it
 * @param percent the progress in percent; null if the job has reported none
 */
public record JobDetail(
        String id,
        String type,
        String state,
        String priority,
        Set<String> tags,
        @Nullable String key,
        @Nullable String batch,
        List<String> after,
        @Nullable List<Obstacle> waitsFor,
        @Nullable Instant enqueuedAt,
        @Nullable Instant dueAt,
        int attempt,
        List<Attempt> attempts,
        @Nullable Long done,
        @Nullable Long total,
        @Nullable Integer percent,
        @Nullable String reason,
        @Nullable Instant endedAt,
        PayloadView payload,
        @Nullable PayloadView result) {
    /**
     * One ended run.
     *
     * @param waitedMillis how long the job was due before it started
     * @param millis how long it ran
     */
    public record Attempt(
            int number,
            String runner,
            @Nullable Instant start,
            Instant end,
            @Nullable Long waitedMillis,
            @Nullable Long millis,
            @Nullable String error) {
        private static Attempt of(JobAttempt attempt, String type, Payloads payloads) {
            return new Attempt(
                    attempt.number(),
                    attempt.runner(),
                    attempt.start(),
                    attempt.end(),
                    attempt.queueTime().map(Duration::toMillis).orElse(null),
                    attempt.runTime().map(Duration::toMillis).orElse(null),
                    attempt.failure().map(error -> payloads.text(type, error)).orElse(null));
        }
    }

    /** @param waitsFor what it waits for; null if that was not read */
    static JobDetail of(JobView job, Payloads payloads, @Nullable List<Obstacle> waitsFor) {
        JobProgress progress = job.progress().orElse(null);
        return new JobDetail(
                job.id(),
                job.type(),
                label(job.state()),
                label(job.priority()),
                new TreeSet<>(job.tags()),
                job.key().orElse(null),
                job.batch().orElse(null),
                job.predecessors(),
                waitsFor,
                job.enqueuedAt().orElse(null),
                job.dueAt().orElse(null),
                job.attempt(),
                job.attempts().stream()
                        .map(attempt -> Attempt.of(attempt, job.type(), payloads))
                        .toList(),
                progress == null ? null : progress.done(),
                progress == null ? null : progress.total(),
                progress == null ? null : progress.percent(),
                job.reason().map(reason -> payloads.text(job.type(), reason)).orElse(null),
                job.endedAt().orElse(null),
                payloads.view(job.type(), job.payload()),
                job.result().map(json -> payloads.view(job.type(), json(json))).orElse(null));
    }

    private static EncodedPayload json(String text) {
        return EncodedPayload.of(PayloadKind.JSON, text.getBytes(StandardCharsets.UTF_8));
    }

    private static String label(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** Whether the job is being run. */
    @JsonIgnore
    public boolean isRunning() {
        return state.equals("running");
    }

    /** Whether it has ended: a failed one too, which can be retried. */
    @JsonIgnore
    public boolean isEnded() {
        return Set.of("failed", "succeeded", "cancelled", "expired").contains(state);
    }
}
