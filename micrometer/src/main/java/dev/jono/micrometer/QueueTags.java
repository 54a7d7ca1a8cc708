package dev.jono.micrometer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * The values of the tag {@code queue}. Their number is bounded: a metrics system keeps a time series for each. A type of jobs has up to seven
 * queues, which share a value, except that of its failed jobs. Queues of jobs are counted apart, so that they take no value from the
 * application's own queues. Thread-safe.
 */
final class QueueTags {
    static final String OTHER = "other";

    private final UnaryOperator<String> name;
    private final int max;
    private final Map<String, String> ofQueues = new ConcurrentHashMap<>();
    private final Map<String, String> ofJobs = new ConcurrentHashMap<>();

    /**
     * Tags.
     *
     * @param name the tag of a queue, or of a type of jobs
     * @param max the maximum number of different tags of queues, and of those of jobs, {@link #OTHER} not counted
     */
    QueueTags(UnaryOperator<String> name, int max) {
        this.name = name;
        this.max = max;
    }

    /** The tag of a queue; {@link #OTHER} if there are too many. */
    String of(String queue) {
        return JobQueues.isOne(queue)
                ? bounded(name.apply(JobQueues.meterName(queue)), ofJobs)
                : bounded(name.apply(queue), ofQueues);
    }

    private String bounded(String tag, Map<String, String> known) {
        String own = known.get(tag);
        if (own != null) {
            return own;
        }
        if (known.size() >= max) {
            return OTHER;
        }
        known.putIfAbsent(tag, tag);
        return tag;
    }
}
