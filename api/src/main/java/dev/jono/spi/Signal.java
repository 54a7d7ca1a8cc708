package dev.jono.spi;

/** A hint for the waiting consumers of a queue: messages arrived, or a pause began or ended. Immutable. */
public final class Signal {
    private final String queue;
    private final Kind kind;
    private final long dueMillis;

    private Signal(String queue, Kind kind, long dueMillis) {
        this.queue = queue;
        this.kind = kind;
        this.dueMillis = dueMillis;
    }

    /**
     * Returns a signal that messages arrived.
     *
     * @param dueMillis the earliest due time among them by the storage's clock, in milliseconds since the epoch; a past
     *     time, such as 1, means that messages are due now
     */
    public static Signal inserted(String queue, long dueMillis) {
        return new Signal(queue, Kind.INSERTED, dueMillis);
    }

    /** Returns a signal that the queue was paused. */
    public static Signal paused(String queue) {
        return new Signal(queue, Kind.PAUSED, 0);
    }

    /** Returns a signal that the queue was resumed. */
    public static Signal resumed(String queue) {
        return new Signal(queue, Kind.RESUMED, 0);
    }

    /** The name of the queue. */
    public String queue() {
        return queue;
    }

    /** What happened. */
    public Kind kind() {
        return kind;
    }

    /**
     * The earliest due time of the messages that arrived, by the storage's clock, in milliseconds since the epoch; 0 for
     * other kinds.
     */
    public long dueMillis() {
        return dueMillis;
    }

    @Override
    public String toString() {
        return kind + " " + queue + " " + dueMillis;
    }

    /** What happened. */
    public enum Kind {
        /** Messages were stored, moved in or given back. */
        INSERTED,
        /** The queue was paused: consumers must stop. */
        PAUSED,
        /** The queue was resumed: consumers may continue. */
        RESUMED
    }
}
