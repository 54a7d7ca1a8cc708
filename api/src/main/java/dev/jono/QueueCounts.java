package dev.jono;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The number of messages in a queue by state, and the age of the oldest ready one, read at one moment. Two are equal if their numbers are;
 * the age is not compared. Immutable.
 */
public final class QueueCounts {
    private final long ready;
    private final long scheduled;
    private final long reserved;
    private final long blocked;
    private final @Nullable Duration oldestReadyAge;

    private QueueCounts(long ready, long scheduled, long reserved, long blocked, @Nullable Duration oldestReadyAge) {
        this.ready = ready;
        this.scheduled = scheduled;
        this.reserved = reserved;
        this.blocked = blocked;
        this.oldestReadyAge = oldestReadyAge;
    }

    /** Returns these counts. */
    public static QueueCounts of(long ready, long scheduled, long reserved) {
        return new QueueCounts(ready, scheduled, reserved, 0, null);
    }

    /** Returns these counts. */
    public static QueueCounts of(long ready, long scheduled, long reserved, long blocked) {
        return new QueueCounts(ready, scheduled, reserved, blocked, null);
    }

    /** Returns the same counts with this age. */
    public QueueCounts withOldestReadyAge(Duration age) {
        return new QueueCounts(ready, scheduled, reserved, blocked, Objects.requireNonNull(age, "age"));
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

    /** Messages that wait for an earlier message of their ordering key; 0 unless the queue is keyed. */
    public long blocked() {
        return blocked;
    }

    /** How long the longest ready message has been due; empty when none is ready. */
    public Optional<Duration> oldestReadyAge() {
        return Optional.ofNullable(oldestReadyAge);
    }

    /** All messages: the sum of the four. */
    public long total() {
        return ready + scheduled + reserved + blocked;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof QueueCounts c
                && c.ready == ready
                && c.scheduled == scheduled
                && c.reserved == reserved
                && c.blocked == blocked;
    }

    @Override
    public int hashCode() {
        return Objects.hash(ready, scheduled, reserved, blocked);
    }

    @Override
    public String toString() {
        return "ready " + ready + ", scheduled " + scheduled + ", reserved " + reserved
                + (blocked == 0 ? "" : ", blocked " + blocked);
    }
}
