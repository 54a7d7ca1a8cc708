package dev.jono.jobs.internal;

import dev.jono.Headers;
import dev.jono.PushOptions;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The headers that jobs add to their messages. */
final class JobHeaders {
    private static final String TAGS = "job-tags";
    private static final String BATCH = "job-batch";
    private static final String LIMIT_PER_KEY = "job-limit-per-key";

    private JobHeaders() {}

    static PushOptions withTags(PushOptions options, Set<String> tags) {
        return tags.isEmpty() ? options : options.header(TAGS, String.join(",", tags));
    }

    /** Adds the ordering key, and how many jobs with a key may run at the same time. */
    static PushOptions withKey(PushOptions options, String key, int limitPerKey) {
        PushOptions keyed = options.key(key);
        return limitPerKey == 1 ? keyed : keyed.header(LIMIT_PER_KEY, String.valueOf(limitPerKey));
    }

    /** How many jobs with the key may run at the same time. */
    static int limitPerKey(Headers headers) {
        String text = headers.string(LIMIT_PER_KEY);
        return text == null ? 1 : Integer.parseInt(text);
    }

    /** The name of the job's batch; null if it is in none. */
    static @Nullable String batch(Headers headers) {
        return headers.string(BATCH);
    }

    /** Adds the name of a batch. */
    static PushOptions withBatch(PushOptions options, String batch) {
        return options.header(BATCH, batch);
    }

    static Set<String> tags(Headers headers) {
        String text = headers.string(TAGS);
        return text == null ? Set.of() : new LinkedHashSet<>(Arrays.asList(text.split(",", -1)));
    }
}
