package dev.jono.jobs.spi;

import java.util.Objects;

/**
 * An event in the log of a job store.
 *
 * @param position its place in the log, for {@link JobStore#events}
 * @param document its content
 */
public record StoredEvent(String position, String document) {
    /** Checks that nothing is missing. */
    public StoredEvent {
        Objects.requireNonNull(position, "position");
        Objects.requireNonNull(document, "document");
    }
}
