package dev.jono;

/** The number of messages in a queue by state, read at one moment. Immutable. */
public final class QueueCounts {
    private final long ready;
    private final long scheduled;
    private final long reserved;

    private QueueCounts(long ready, long scheduled, long reserved) {
        this.ready = ready;
        this.scheduled = scheduled;
        this.reserved = reserved;
    }

    /** Returns these counts. */
    public static QueueCounts of(long ready, long scheduled, long reserved) {
        return new QueueCounts(ready, scheduled, reserved);
    }

    /** Messages that may be handed out now, including those whose lease has ended. */
    public long ready() {
        return ready;
    }

    /** Messages that wait for their due time. */
    public long scheduled() {
        return scheduled;
    }

    /** Messages that are reserved under a lease that has not ended. */
    public long reserved() {
        return reserved;
    }

    /** All messages: the sum of the three. */
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
