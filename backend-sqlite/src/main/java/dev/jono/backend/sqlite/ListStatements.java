package dev.jono.backend.sqlite;

import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A statement for a list of any length. There is one text for each of a few lengths, so that few statements are prepared; a list is
 * split into parts of these lengths. Immutable.
 */
final class ListStatements {
    /** The lengths, the longest first. */
    private static final int[] LENGTHS = {100, 25, 5, 1};

    private final String[] texts = new String[LENGTHS.length];

    /** @param text the statement for a length */
    ListStatements(IntFunction<String> text) {
        for (int i = 0; i < LENGTHS.length; i++) {
            texts[i] = text.apply(LENGTHS[i]);
        }
    }

    /** A statement that repeats a part for each element, with commas between them. */
    static ListStatements repeating(String begin, String each, String end) {
        return new ListStatements(length -> begin + String.join(", ", Collections.nCopies(length, each)) + end);
    }

    /** A call with a part of a list, and the statement for its length. */
    interface PartCall<T> {
        void run(String sql, List<T> part) throws SQLException;
    }

    /** Splits a list, and makes a call for each part. */
    <T> void forEachPart(List<T> all, PartCall<T> call) throws SQLException {
        int from = 0;
        for (int i = 0; i < LENGTHS.length; i++) {
            for (; all.size() - from >= LENGTHS[i]; from += LENGTHS[i]) {
                call.run(texts[i], all.subList(from, from + LENGTHS[i]));
            }
        }
    }
}
