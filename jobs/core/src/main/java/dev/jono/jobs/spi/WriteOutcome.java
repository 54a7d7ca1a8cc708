package dev.jono.jobs.spi;

/** The outcome of a {@link RecordChange}. */
public enum WriteOutcome {
    /** The change is stored. */
    STORED,
    /** The change was refused because the job had ended; its record is unchanged. */
    ENDED,
    /** The change was refused because a later run has written the record, which is unchanged. */
    STALE
}
