package dev.jono.jobs.internal;

import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Enqueues the jobs of schedules. The unique key of a job is made of the schedule's name and the time of the occurrence, so of all
 * processes one enqueues it. Thread-safe.
 */
final class Occurrences {
    /**
     * The key is kept this many times the interval of the schedule, within these limits. It must outlive a stop of all processes
     * between the push and the change of the schedule; a frequent schedule must not leave many keys.
     */
    private static final int INTERVALS = 1000;

    private static final Duration SHORTEST = Duration.ofDays(1);
    private static final Duration LONGEST = Duration.ofDays(30);

    private final JobsContext context;

    Occurrences(JobsContext context) {
        this.context = context;
    }

    /**
     * Enqueues the job of an occurrence, unless it was enqueued before.
     *
     * @param interval the time until the next occurrence
     */
    void enqueue(String name, ScheduleDocument schedule, Instant time, Duration interval) {
        Duration wanted = interval.compareTo(LONGEST) > 0 ? LONGEST : interval.multipliedBy(INTERVALS);
        Duration window = wanted.compareTo(SHORTEST) < 0 ? SHORTEST : wanted.compareTo(LONGEST) > 0 ? LONGEST : wanted;
        Set<String> tags = tags(name, schedule);
        tags.add("occurrence:" + time);
        PushOptions options =
                options(schedule, tags).unique(scope(schedule.type()), name + '/' + time.toEpochMilli(), window);
        queue(schedule).push(schedule.payload(), options);
    }

    /** Enqueues a job that is not an occurrence. */
    JobId enqueueExtra(String name, ScheduleDocument schedule) {
        PushOptions options = options(schedule, tags(name, schedule));
        return new JobId(
                schedule.type(),
                queue(schedule).push(schedule.payload(), options).id());
    }

    private static Set<String> tags(String name, ScheduleDocument schedule) {
        Set<String> tags = new LinkedHashSet<>(schedule.tags());
        tags.add("schedule:" + name);
        return tags;
    }

    /** Not the scope of the unique keys that users choose. It is in the slot of the queues. */
    private static String scope(String type) {
        return UniqueJob.scope(type) + ":schedules";
    }

    private static PushOptions options(ScheduleDocument schedule, Set<String> tags) {
        PushOptions tagged = JobHeaders.withTags(PushOptions.none(), tags);
        return schedule.key()
                .map(key -> JobHeaders.withKey(tagged, key, schedule.limitPerKey()))
                .orElse(tagged);
    }

    private MessageQueue<EncodedPayload> queue(ScheduleDocument schedule) {
        Lane lane = schedule.key().isPresent() ? Lane.KEYED : Lane.of(schedule.priority());
        return TypeQueues.open(context.jono, schedule.type(), lane, schedule.limitPerKey());
    }
}
