package dev.jono;

/** A message that is stored. */
public final class PushResult {
    private final String id;
    private final boolean duplicate;

    private PushResult(String id, boolean duplicate) {
        this.id = id;
        this.duplicate = duplicate;
    }

    /** Stored under this id. */
    public static PushResult stored(String id) {
        return new PushResult(id, false);
    }

    /** Already known to the storage, under this id, and not stored again. */
    public static PushResult duplicate(String id) {
        return new PushResult(id, true);
    }

    /** The message's id. */
    public String id() {
        return id;
    }

    /** Whether the storage already knew the message. */
    public boolean isDuplicate() {
        return duplicate;
    }

    @Override
    public String toString() {
        return duplicate ? id + " (duplicate)" : id;
    }
}
