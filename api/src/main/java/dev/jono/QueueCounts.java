package dev.jono;

/** How many messages a queue holds, in one look. */
public final class QueueCounts {
    private final long ready;
    private final long scheduled;
    private final long reserved;

    private QueueCounts(long ready, long scheduled, long reserved) {
        this.ready = ready;
        this.scheduled = scheduled;
        this.reserved = reserved;
    }

    /** These counts. */
    public static QueueCounts of(long ready, long scheduled, long reserved) {
        return new QueueCounts(ready, scheduled, reserved);
    }

    /** May be handed out now; those whose lease ended unsettled are among them. */
    public long ready() {
        return ready;
    }

    /** Wait for their due time. */
    public long scheduled() {
        return scheduled;
    }

    /** Held under a lease that has not ended. */
    public long reserved() {
        return reserved;
    }

    /** All three. */
    public long total() {
        return ready + scheduled + reserved;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof QueueCounts c && c.ready == ready && c.scheduled == scheduled && c.reserved == reserved;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(ready) * 961 + Long.hashCode(scheduled) * 31 + Long.hashCode(reserved);
    }

    @Override
    public String toString() {
        return "ready " + ready + ", scheduled " + scheduled + ", reserved " + reserved;
    }
}
