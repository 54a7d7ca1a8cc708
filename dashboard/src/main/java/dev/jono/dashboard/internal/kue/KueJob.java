package dev.jono.dashboard.internal.kue;

import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.dashboard.internal.source.PayloadView;
import dev.jono.dashboard.internal.source.Payloads;
import dev.jono.jobs.JobAttempt;
import dev.jono.jobs.JobProgress;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobType;
import dev.jono.jobs.JobView;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A job of Jono with the facts that Kue shows.
 *
 * @param view the job
 * @param number its number
 * @param run its present run; null if it does not run, or its runner has not reported it yet
 * @param whole whether large payloads are shown as a whole
 * @param payloads hides parts of payloads
 */
record KueJob(JobView view, long number, @Nullable Run run, boolean whole, Payloads payloads) {
    /** The default of types. What a type says is known to its runners only. */
    private static final int MAX_ATTEMPTS = JobType.of("any", Object.class).maxAttempts();

    /** A run of a job, by a runner of this name. */
    record Run(String runner, Instant startedAt) {}

    KueState state() {
        return KueState.of(view.state());
    }

    Object data() {
        return shown(view.payload());
    }

    Optional<Object> result() {
        return view.result().map(json -> shown(json(json)));
    }

    Optional<Object> progressData() {
        return view.progress()
                .flatMap(progress -> Optional.ofNullable(progress.data()))
                .map(data -> shown(json(data)));
    }

    private static EncodedPayload json(String text) {
        return EncodedPayload.of(PayloadKind.JSON, text.getBytes(StandardCharsets.UTF_8));
    }

    /** JSON as it is, other text as a text, and bytes as base64. */
    private Object shown(EncodedPayload payload) {
        EncodedPayload visible = payloads.redact(view.type(), payload);
        return (whole ? PayloadView.whole(visible) : PayloadView.of(visible)).value();
    }

    /** The progress in percent; empty if the job has reported none. */
    Optional<Integer> percent() {
        return view.state() == JobState.SUCCEEDED
                ? Optional.of(100)
                : view.progress().map(JobProgress::percent);
    }

    /** The text of the last failure. */
    Optional<String> error() {
        return view.state() == JobState.SUCCEEDED
                ? Optional.empty()
                : view.reason()
                        .or(() -> last().flatMap(JobAttempt::failure))
                        .map(reason -> payloads.text(view.type(), reason));
    }

    private Optional<JobAttempt> last() {
        List<JobAttempt> attempts = view.attempts();
        return attempts.isEmpty() ? Optional.empty() : Optional.of(attempts.get(attempts.size() - 1));
    }

    Instant createdAt() {
        return view.enqueuedAt()
                .or(() -> last().flatMap(run -> Optional.ofNullable(run.start())))
                .or(view::dueAt)
                .or(view::endedAt)
                .orElse(Instant.EPOCH);
    }

    Instant promoteAt() {
        return state() == KueState.DELAYED ? view.dueAt().orElse(createdAt()) : createdAt();
    }

    Instant updatedAt() {
        return view.endedAt()
                .or(() -> last().map(JobAttempt::end))
                .or(() -> startedAt())
                .orElse(createdAt());
    }

    /** When the last run failed. */
    Optional<Instant> failedAt() {
        return last().filter(attempt -> attempt.failure().isPresent()).map(JobAttempt::end);
    }

    /** When the present or last run began. */
    Optional<Instant> startedAt() {
        return Optional.ofNullable(run)
                .map(Run::startedAt)
                .or(() -> last().flatMap(attempt -> Optional.ofNullable(attempt.start())));
    }

    /** The runner of the present or last run. */
    Optional<String> worker() {
        return Optional.ofNullable(run).map(Run::runner).or(() -> last().map(JobAttempt::runner));
    }

    /** How long the run took that succeeded. */
    Optional<Duration> duration() {
        return view.state() == JobState.SUCCEEDED ? last().flatMap(JobAttempt::runTime) : Optional.empty();
    }

    Optional<Duration> delay() {
        return state() == KueState.DELAYED ? Optional.of(Duration.between(createdAt(), promoteAt())) : Optional.empty();
    }

    /** The number of ended runs. */
    int attemptsMade() {
        return view.state() == JobState.RUNNING ? Math.max(0, view.attempt() - 1) : view.attempt();
    }

    /** The number of runs at most: those of an ended job, and otherwise the default. */
    int attemptsMax() {
        return view.state().isEnded() ? Math.max(1, attemptsMade()) : Math.max(MAX_ATTEMPTS, attemptsMade());
    }
}
