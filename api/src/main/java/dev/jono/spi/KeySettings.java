package dev.jono.spi;

import dev.jono.StorageException;

/** Texts for backends whose queues can be keyed. */
public final class KeySettings {
    private KeySettings() {}

    /**
     * The refusal of a queue that is opened with other keys than it was filled with.
     *
     * @param opened {@link QueueSpec#maxPerKey()} of the queue object
     * @param stored that of the messages in the storage; 0 for a queue without keys
     */
    public static StorageException differ(String queue, int opened, int stored) {
        return new StorageException(
                "queue '" + queue + "' is " + text(stored) + " in the storage, and was opened as " + text(opened)
                        + ": all processes must open it alike. To change it, delete the queue, or empty and delete it",
                queue,
                null,
                null);
    }

    private static String text(int maxPerKey) {
        return maxPerKey == 0 ? "not keyed" : "keyed(" + maxPerKey + ")";
    }
}
