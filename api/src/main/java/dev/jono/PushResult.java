package dev.jono;

import org.jspecify.annotations.Nullable;

/** The result of a push: the id of the stored message. Immutable. */
public final class PushResult {
    private static final PushResult DEFERRED = new PushResult(null, false);

    /** Null if the message is not sent yet. */
    private final @Nullable String id;

    private final boolean duplicate;

    private PushResult(@Nullable String id, boolean duplicate) {
        this.id = id;
        this.duplicate = duplicate;
    }

    /** Returns the result of a message that was stored under this id. */
    public static PushResult stored(String id) {
        return new PushResult(id, false);
    }

    /** Returns the result of a message that the storage already has under this id, and did not store again. */
    public static PushResult duplicateOf(String id) {
        return new PushResult(id, true);
    }

    /**
     * Returns the result of a push that is not sent yet, for queues that wait for the commit of a transaction. The queues of a factory send
     * at once.
     */
    public static PushResult deferred() {
        return DEFERRED;
    }

    /**
     * The id of the message.
     *
     * @throws IllegalStateException if the push is {@linkplain #isDeferred() deferred}: then there is no id yet
     */
    public String id() {
        if (id == null) {
            throw new IllegalStateException(
                    "the message is sent after the commit of the transaction, so it has no id yet");
        }
        return id;
    }

    /** Whether the push is sent later, after the commit of the caller's transaction. */
    public boolean isDeferred() {
        return id == null;
    }

    /** Whether the storage already had the message, and did not store it again. */
    public boolean duplicate() {
        return duplicate;
    }

    @Override
    public String toString() {
        if (id == null) {
            return "(deferred)";
        }
        return duplicate ? id + " (duplicate)" : id;
    }
}
