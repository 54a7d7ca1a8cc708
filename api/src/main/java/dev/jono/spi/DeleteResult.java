package dev.jono.spi;

/** The outcome of a {@link DeleteRequest}. Immutable. */
public final class DeleteResult {
    private final boolean deleted;
    private final long messages;

    private DeleteResult(boolean deleted, long messages) {
        this.deleted = deleted;
        this.messages = messages;
    }

    /**
     * Returns the outcome of a queue that is deleted, or did not exist.
     *
     * @param messages how many messages were deleted with it, 0 or more
     */
    public static DeleteResult deleted(long messages) {
        return new DeleteResult(true, messages);
    }

    /**
     * Returns the outcome of a queue that is unchanged, because it holds messages.
     *
     * @param messages how many messages it holds, 1 or more
     */
    public static DeleteResult refused(long messages) {
        return new DeleteResult(false, messages);
    }

    /** Whether the queue is deleted. */
    public boolean deleted() {
        return deleted;
    }

    /** The number of messages that were deleted with the queue; if it was refused, the number of messages that it holds. */
    public long messages() {
        return messages;
    }
}
