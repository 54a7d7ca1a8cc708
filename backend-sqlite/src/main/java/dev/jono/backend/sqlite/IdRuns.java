package dev.jono.backend.sqlite;

import java.util.Arrays;

/**
 * Ids as runs of ones that follow each other, so that one statement serves a run. Messages that are pushed together
 * are claimed and settled together, so runs are long.
 */
final class IdRuns {
    private final long[] ids;
    private int from;
    private int to;

    /** Of these ids, in any order; the array is sorted. */
    IdRuns(long[] ids) {
        this.ids = ids;
        Arrays.sort(ids);
    }

    /** Goes to the next run; false when there is none. */
    boolean next() {
        if (to == ids.length) {
            return false;
        }
        from = to;
        do {
            to++;
        } while (to < ids.length && ids[to] == ids[to - 1] + 1);
        return true;
    }

    long first() {
        return ids[from];
    }

    long last() {
        return ids[to - 1];
    }
}
