package dev.jono.backend.sqlite;

import java.util.Map;

/** How many more messages of some keys may be admitted, while a list of new ones is stored. Not thread-safe. */
final class KeyRoom {
    private final Map<String, Integer> admitted;
    private final int maxPerKey;
    private final long countsUntilMillis;

    /**
     * The room of keys.
     *
     * @param admitted by key, how many admitted messages count; changed by {@link #admits}
     * @param countsUntilMillis the latest due time of a message that counts
     */
    KeyRoom(Map<String, Integer> admitted, int maxPerKey, long countsUntilMillis) {
        this.admitted = admitted;
        this.maxPerKey = maxPerKey;
        this.countsUntilMillis = countsUntilMillis;
    }

    /** Whether the next new message of a key is admitted; otherwise it is blocked. */
    boolean admits(String key, long dueMillis) {
        return dueMillis > countsUntilMillis || admitted.merge(key, 1, Integer::sum) <= maxPerKey;
    }
}
