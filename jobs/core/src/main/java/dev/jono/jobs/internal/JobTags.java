package dev.jono.jobs.internal;

import dev.jono.jobs.JobQuery;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tags by which records are found: those of the job, and tags for its key and its batch, which no tag of a job can equal. */
final class JobTags {
    private static final char KEY = '\u0001';
    private static final char BATCH = '\u0002';

    private JobTags() {}

    /** The tags of a record. */
    static Set<String> of(JobDocument document) {
        Set<String> tags = new LinkedHashSet<>(document.tags());
        document.key().ifPresent(key -> tags.add(ofKey(key)));
        document.batch().ifPresent(batch -> tags.add(ofBatch(batch)));
        return tags;
    }

    /** The tag that finds the records of a batch. */
    static String ofBatch(String batch) {
        return BATCH + batch;
    }

    /** The tag that finds the records of a query; null for all. The other conditions are checked later. */
    static @Nullable String searched(JobQuery query) {
        if (query.tag() != null) {
            return query.tag();
        }
        if (query.batch() != null) {
            return ofBatch(query.batch());
        }
        return query.key() == null ? null : ofKey(query.key());
    }

    /** Encoded, because a tag has no comma. */
    private static String ofKey(String key) {
        return KEY + URLEncoder.encode(key, StandardCharsets.UTF_8);
    }
}
