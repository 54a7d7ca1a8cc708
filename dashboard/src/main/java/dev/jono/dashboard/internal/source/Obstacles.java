package dev.jono.dashboard.internal.source;

import dev.jono.jobs.JobState;
import dev.jono.jobs.JobView;
import dev.jono.jobs.LimitsView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds out what a job waits for. */
final class Obstacles {
    /** Each costs some reads. */
    private static final int MAX_PREDECESSORS = 20;

    private Obstacles() {}

    /** What a job waits for; nothing if it runs, has ended, or is not due yet. */
    static List<Obstacle> of(Source source, JobView job) {
        List<Obstacle> found = new ArrayList<>();
        JobState state = job.state();
        if (state == JobState.WAITING || state == JobState.BLOCKED) {
            predecessors(source, job, found);
            if (Boolean.TRUE.equals(source.counts(job.type()).paused())) {
                found.add(Obstacle.of("pause", job.type()));
            } else if (state == JobState.BLOCKED && found.isEmpty()) {
                job.key().ifPresent(key -> found.add(Obstacle.of("key", key)));
            } else if (state == JobState.WAITING) {
                limits(source, job.type(), found);
            }
        }
        return found;
    }

    private static void predecessors(Source source, JobView job, List<Obstacle> found) {
        job.predecessors().stream().limit(MAX_PREDECESSORS).forEach(id -> {
            Optional<JobState> state = source.jobs().get(id).map(JobView::state);
            // A removed job counts as succeeded.
            state.filter(each -> each != JobState.SUCCEEDED)
                    .ifPresent(each ->
                            found.add(new Obstacle("job", id, each.name().toLowerCase(Locale.ROOT), null)));
        });
    }

    private static void limits(Source source, String type, List<Obstacle> found) {
        LimitsView limits = source.limits(type);
        if (limits.full()) {
            found.add(Obstacle.of("limit", type));
        }
        limits.nextStart().ifPresent(until -> found.add(new Obstacle("rate", type, null, until)));
    }
}
