package dev.jono.internal.batch;

/**
 * One call of a caller, of one or more items, that a {@link Lane} sends in a batch with others. Submitted to one lane, once, on
 * the thread of the caller. The caller sets its fields before that; afterwards only the lane changes them.
 */
public abstract class BatchedCall {
    /** The number of items. */
    final int weight;

    final long bytes;

    /** Whether the call is sent in a batch without other calls, because a batch that it was part of has failed. */
    boolean alone;

    /**
     * Whether the call is repeated until it is answered, because no caller waits to which a lost reply could be reported. Such
     * calls share batches with each other only.
     */
    public boolean patient;

    /** The monotonic time by which the call must be sent; not set for calls of the engine. */
    long sendByNanos;

    /** Whether {@link #sendByNanos} is set. */
    boolean hasDeadline;

    /** Whether a thread is blocked until the call ends. */
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

    /** Ends the call with a failure; does nothing if the call has ended. */
    protected abstract void fail(RuntimeException failure);
}
