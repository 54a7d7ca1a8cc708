package dev.jono.backend.sqlite;

import java.util.Arrays;

/**
 * Splits ids into runs of consecutive ids, so that one statement serves a run. Messages that are pushed together are
 * often claimed and settled together, so runs are long.
 */
final class IdRuns {
    private final long[] ids;
    private int from;
    private int to;

    /** The ids may be in any order; the array is sorted in place. */
    IdRuns(long[] ids) {
        this.ids = ids;
        Arrays.sort(ids);
    }

    /** Advances to the next run; false if there is none. */
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
