package dev.jono.jobs.spi;

import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A change of one entry, done only if the entry has the expected version.
 *
 * @param kind the kind of the entry, 1 to 30 lower-case letters
 * @param name its name within the kind, 1 to 300 characters, no control characters
 * @param expected the version that the entry must have; null if there must be no entry
 * @param version the new version, which no other change has; 1 to 100 ASCII letters, digits and hyphens
 * @param document the new content, at most 1 MiB of text; null to remove the entry
 */
public record EntryChange(
        String kind,
        String name,
        @Nullable String expected,
        String version,
        @Nullable String document) {
    /** Checks that nothing required is missing. */
    public EntryChange {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(version, "version");
    }

    /**
     * A change of an entry as it was read, with a new version.
     *
     * @param before the entry; null if there was none
     * @param document the new content; null to remove the entry
     */
    public static EntryChange of(String kind, String name, @Nullable StoredEntry before, @Nullable String document) {
        return new EntryChange(
                kind,
                name,
                before == null ? null : before.version(),
                UUID.randomUUID().toString(),
                document);
    }
}
