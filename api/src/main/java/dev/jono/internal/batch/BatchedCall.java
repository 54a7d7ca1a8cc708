package dev.jono.internal.batch;

/** One call of a caller, of one or more items, that a {@link Lane} sends in a batch with others. Used in one lane, once. */
public abstract class BatchedCall {
    /** Its items. */
    final int weight;

    final long bytes;

    /** Whether it is sent in a batch of its own: one that it shared has failed. */
    boolean alone;

    /**
     * Whether no caller waits who could be notified of a lost reply, so that the call is repeated until it is answered. Such
     * calls are batched with each other only.
     */
    public boolean patient;

    /** Monotonic time by which it must be sent; not set for the engine's own calls. */
    long sendByNanos;

    /** Whether {@link #sendByNanos} is set. */
    boolean hasDeadline;

    /** Whether a thread waits for its end. */
    boolean blocksThread;

    /**
     * A call.
     *
     * @param weight the number of its items
     * @param bytes the size of its payloads; 0 where it has none
     */
    protected BatchedCall(int weight, long bytes) {
        this.weight = weight;
        this.bytes = bytes;
    }

    /** Ends it with a failure. */
    protected abstract void fail(RuntimeException failure);
}
