package dev.jono.dashboard.internal.source;

import dev.jono.jobs.JobState;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of jobs of a type.
 *
 * @param type the name of the type
 * @param paused whether the type is paused; null in a list of types, which does not read it
 * @param counts how many jobs are in each state; a state without jobs is missing
 */
public record TypeCounts(String type, @Nullable Boolean paused, Map<JobState, Long> counts) {
    /** How many jobs are in a state. */
    public long count(JobState state) {
        return counts.getOrDefault(state, 0L);
    }
}
