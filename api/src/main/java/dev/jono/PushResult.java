package dev.jono;

/** The result of a push: the id of the stored message. Immutable. */
public final class PushResult {
    private final String id;
    private final boolean duplicate;

    private PushResult(String id, boolean duplicate) {
        this.id = id;
        this.duplicate = duplicate;
    }

    /** Returns the result of a message that was stored under this id. */
    public static PushResult stored(String id) {
        return new PushResult(id, false);
    }

    /** Returns the result of a message that the storage already has under this id, and did not store again. */
    public static PushResult duplicate(String id) {
        return new PushResult(id, true);
    }

    /** The id of the message. */
    public String id() {
        return id;
    }

    /** Whether the storage already had the message, and did not store it again. */
    public boolean isDuplicate() {
        return duplicate;
    }

    @Override
    public String toString() {
        return duplicate ? id + " (duplicate)" : id;
    }
}
