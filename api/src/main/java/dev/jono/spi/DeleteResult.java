package dev.jono.spi;

/** What became of a {@link DeleteRequest}. */
public final class DeleteResult {
    private final boolean deleted;
    private final long messages;

    private DeleteResult(boolean deleted, long messages) {
        this.deleted = deleted;
        this.messages = messages;
    }

    /**
     * The queue is deleted, or was not there.
     *
     * @param messages how many were deleted with it
     */
    public static DeleteResult deleted(long messages) {
        return new DeleteResult(true, messages);
    }

    /**
     * The queue is as it was, because it holds messages.
     *
     * @param messages how many, 1 or more
     */
    public static DeleteResult refused(long messages) {
        return new DeleteResult(false, messages);
    }

    /** Whether the queue is deleted. */
    public boolean deleted() {
        return deleted;
    }

    /** How many messages were deleted with it; where it was refused, how many it holds. */
    public long messages() {
        return messages;
    }
}
