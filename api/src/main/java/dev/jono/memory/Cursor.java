package dev.jono.memory;

import dev.jono.StorageException;
import org.jspecify.annotations.Nullable;

/**
 * Where a browse goes on: behind a place, whether or not its message is still there. The id saves looking for the place
 * while it is.
 */
record Cursor(Position position, String id) {
    private static final Cursor BEGINNING = new Cursor(new Position(Long.MIN_VALUE, 0), "");

    static Cursor parse(@Nullable String text) {
        if (text == null) {
            return BEGINNING;
        }
        String[] parts = text.split("\\.", 3);
        if (parts.length < 3) {
            throw invalid(text, null);
        }
        return new Cursor(new Position(number(parts[0]), number(parts[1])), parts[2]);
    }

    static String of(Entry entry) {
        return entry.dueMillis + "." + entry.seq + "." + entry.id;
    }

    /** A number that stands in a cursor, or is one. */
    static long number(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw invalid(text, e);
        }
    }

    private static StorageException invalid(String text, @Nullable Throwable cause) {
        return new StorageException("'" + text + "' is not a cursor of a memory queue", null, null, cause);
    }
}
