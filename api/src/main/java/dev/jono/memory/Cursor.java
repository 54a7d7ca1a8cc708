package dev.jono.memory;

import dev.jono.StorageException;
import org.jspecify.annotations.Nullable;

/**
 * The point after which a browse continues: a position, which is valid even if its message is gone. With the id, the
 * position of a message that still exists is found without a search.
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

    /** Parses a cursor of the history, or a number in another cursor. */
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
