package dev.jono.jobs.spi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Entries of one kind.
 *
 * @param nowMillis the time of the read, by the storage's clock
 * @param entries the entries, sorted by name as {@link #NAME_ORDER} does
 */
public record EntryPage(long nowMillis, List<StoredEntry> entries) {
    /** The order of names: by their Unicode code points. */
    public static final Comparator<String> NAME_ORDER =
            Comparator.comparing(name -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    /** Copies the list. */
    public EntryPage {
        entries = List.copyOf(entries);
    }
}
