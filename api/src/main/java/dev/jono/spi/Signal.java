package dev.jono.spi;

/** Something that waiting consumers of a queue should know. */
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
     * Messages came in.
     *
     * @param dueMillis the earliest due time among them, storage clock, milliseconds since the epoch; what has
     *     passed already (1, say) means at once
     */
    public static Signal inserted(String queue, long dueMillis) {
        return new Signal(queue, Kind.INSERTED, dueMillis);
    }

    /** The queue was paused. */
    public static Signal paused(String queue) {
        return new Signal(queue, Kind.PAUSED, 0);
    }

    /** The queue was resumed. */
    public static Signal resumed(String queue) {
        return new Signal(queue, Kind.RESUMED, 0);
    }

    /** The queue. */
    public String queue() {
        return queue;
    }

    /** What happened. */
    public Kind kind() {
        return kind;
    }

    /** Earliest due time of what came in, storage clock, milliseconds since the epoch; 0 for other kinds. */
    public long dueMillis() {
        return dueMillis;
    }

    @Override
    public String toString() {
        return kind + " " + queue + " " + dueMillis;
    }

    /** What happened. */
    public enum Kind {
        /** Messages came in, or came back. */
        INSERTED,
        /** Consumers must stop. */
        PAUSED,
        /** Consumers may go on. */
        RESUMED
    }
}
