package dev.jono.micrometer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** The values of the tag {@code queue}. Their number is bounded: a metrics system keeps a time series for each. Thread-safe. */
final class QueueTags {
    static final String OTHER = "other";

    private final UnaryOperator<String> name;
    private final int max;
    private final Map<String, String> known = new ConcurrentHashMap<>();

    /**
     * Tags.
     *
     * @param name the tag of a queue
     * @param max the maximum number of different tags, {@link #OTHER} not counted
     */
    QueueTags(UnaryOperator<String> name, int max) {
        this.name = name;
        this.max = max;
    }

    /** The tag of a queue; {@link #OTHER} if there are too many. */
    String of(String queue) {
        String tag = name.apply(queue);
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
