package dev.jono.jobs.spi;

import org.jspecify.annotations.Nullable;

/**
 * Selects the records that {@link JobStore#find} reads.
 *
 * @param type the name of their type
 * @param state their state
 * @param tag a tag that the records must have; null for any
 * @param after the last record of the previous page; null for the first page
 * @param limit the maximum number of records, 1 or more
 */
public record RecordQuery(
        String type,
        RecordState state,
        @Nullable String tag,
        @Nullable Position after,
        int limit) {
    /** Checks the limit. */
    public RecordQuery {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1: " + limit);
        }
    }

    /**
     * The place of a record in its list.
     *
     * @param changedMillis {@link StoredRecord#changedMillis}
     * @param id its job
     */
    public record Position(long changedMillis, String id) {}
}
