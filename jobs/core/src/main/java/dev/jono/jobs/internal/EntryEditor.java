package dev.jono.jobs.internal;

import dev.jono.StorageException;
import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.EntryPage;
import dev.jono.jobs.spi.StoredEntry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads and changes the entries of one kind. Changes are compare-and-set. Blocks the calling thread; thread-safe. */
final class EntryEditor {
    /** How often a change is tried because other processes were faster. */
    private static final int MAX_ATTEMPTS = 20;

    private final JobsContext context;
    private final String kind;

    EntryEditor(JobsContext context, String kind) {
        this.context = context;
        this.kind = kind;
    }

    /** The stored entry of a name, which is null if there is none. The time is the storage's. */
    record Current(String name, @Nullable StoredEntry entry, Instant now) {}

    Current current(String name) {
        EntryPage page = context.answer(context.store.entries(kind, List.of(name)));
        StoredEntry entry = page.entries().isEmpty() ? null : page.entries().get(0);
        return new Current(name, entry, Instant.ofEpochMilli(page.nowMillis()));
    }

    /** The entries behind a name. */
    EntryPage list(String after, int max) {
        return context.answer(context.store.listEntries(kind, after, max));
    }

    /**
     * Tries a change of the stored entry until no other process is faster.
     *
     * @param attempt returns empty if {@link #store} has returned false
     */
    <T> T repeat(String name, Function<Current, Optional<T>> attempt) {
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            Optional<T> done = attempt.apply(current(name));
            if (done.isPresent()) {
                return done.get();
            }
        }
        throw new StorageException(
                kind + " '" + name + "' was not changed, because other processes change it at the same time",
                null,
                null,
                null);
    }

    /**
     * Replaces an entry; false if it has changed since it was read.
     *
     * @param text the new content; null to remove the entry
     */
    boolean store(Current current, @Nullable String text) {
        StoredEntry before = current.entry;
        if (before != null && before.document().equals(text)) {
            return true;
        }
        EntryChange change = EntryChange.of(kind, current.name, before, text);
        return context.change(context.store.changeEntries(List.of(change))).get(0);
    }
}
