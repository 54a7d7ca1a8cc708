package dev.jono.jobs.internal;

import dev.jono.Headers;
import dev.jono.jobs.JobPriority;
import java.util.Arrays;
import java.util.Locale;

/**
 * A queue of a type's waiting jobs: one for each priority, and one for jobs with ordering keys. The order of a key is that of one
 * queue, so jobs with keys have no priority.
 */
enum Lane {
    CRITICAL(JobPriority.CRITICAL),
    HIGH(JobPriority.HIGH),
    MEDIUM(JobPriority.MEDIUM),
    KEYED(JobPriority.NORMAL),
    NORMAL(JobPriority.NORMAL),
    LOW(JobPriority.LOW);

    private final JobPriority priority;

    Lane(JobPriority priority) {
        this.priority = priority;
    }

    /** The lane of jobs without ordering keys. */
    static Lane of(JobPriority priority) {
        return valueOf(priority.name());
    }

    /** The lane of a job. */
    static Lane of(Headers headers, JobPriority priority) {
        return headers.string(Headers.KEY) == null ? of(priority) : KEYED;
    }

    /** The lane of a dead letter: the queue from which it came; if the message does not say that, the one of this priority. */
    static Lane ofDeadLetter(Headers headers, JobPriority otherwise) {
        String from = String.valueOf(headers.string(Headers.DL_FROM_QUEUE));
        return Arrays.stream(values())
                .filter(lane -> from.endsWith("}:" + lane.label()))
                .findFirst()
                .orElseGet(() -> of(headers, otherwise));
    }

    JobPriority priority() {
        return priority;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The name of the queue. */
    String queue(String type) {
        return "{jobs:" + type + "}:" + label();
    }
}
