package dev.jono.jobs.memory;

import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.EntryPage;
import dev.jono.jobs.spi.StoredEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The entries of one memory storage. Called by {@link SharedTable} with its lock held; not thread-safe. */
final class EntryTable {
    private final Map<String, NavigableMap<String, StoredEntry>> kinds = new HashMap<>();

    private NavigableMap<String, StoredEntry> kind(String kind) {
        return kinds.computeIfAbsent(kind, k -> new TreeMap<>(EntryPage.NAME_ORDER));
    }

    boolean change(EntryChange change) {
        NavigableMap<String, StoredEntry> entries = kind(change.kind());
        StoredEntry before = entries.get(change.name());
        @Nullable String version = before == null ? null : before.version();
        String document = change.document();
        if (document == null && before == null) {
            return true;
        }
        if (change.version().equals(version)) {
            return true;
        }
        if (!Objects.equals(change.expected(), version)) {
            return false;
        }
        if (document == null) {
            entries.remove(change.name());
        } else {
            entries.put(change.name(), new StoredEntry(change.name(), change.version(), document));
        }
        return true;
    }

    List<StoredEntry> read(String kind, List<String> names) {
        NavigableMap<String, StoredEntry> entries = kind(kind);
        return names.stream()
                .sorted(EntryPage.NAME_ORDER)
                .distinct()
                .flatMap(name -> Stream.ofNullable(entries.get(name)))
                .toList();
    }

    List<StoredEntry> list(String kind, String after, int max) {
        return kind(kind).tailMap(after, false).values().stream().limit(max).toList();
    }
}
