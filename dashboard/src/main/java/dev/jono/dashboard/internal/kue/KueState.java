package dev.jono.dashboard.internal.kue;

import dev.jono.jobs.JobState;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The states of Kue's jobs, and the states of Jono's jobs that each stands for. */
enum KueState {
    INACTIVE,
    ACTIVE,
    COMPLETE,
    FAILED,
    DELAYED;

    /** Jono's states. */
    List<JobState> states() {
        return switch (this) {
            case INACTIVE -> List.of(JobState.WAITING, JobState.BLOCKED);
            case ACTIVE -> List.of(JobState.RUNNING);
            case COMPLETE -> List.of(JobState.SUCCEEDED);
            case FAILED -> List.of(JobState.FAILED, JobState.EXPIRED, JobState.CANCELLED);
            case DELAYED -> List.of(JobState.SCHEDULED, JobState.RETRYING);
        };
    }

    /** The name as Kue writes it. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** How many of these jobs have this state. */
    long count(Map<JobState, Long> counts) {
        return states().stream()
                .mapToLong(state -> counts.getOrDefault(state, 0L))
                .sum();
    }

    /** The state of this name, in lower or upper case. */
    static Optional<KueState> named(String name) {
        return Arrays.stream(values())
                .filter(state -> state.name().equals(name.toUpperCase(Locale.ROOT)))
                .findFirst();
    }

    /** The state that stands for one of Jono's. */
    static KueState of(JobState state) {
        return Arrays.stream(values())
                .filter(each -> each.states().contains(state))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(state.name()));
    }
}
