package dev.jono.internal;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.Reservation;
import dev.jono.spi.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A reserved message, decoded. */
final class ReservationImpl<T> extends LeaseImpl implements Reservation<T> {
    final Delivered delivered;
    private final T payload;
    private volatile long leaseEndMillis;

    ReservationImpl(Handle handle, Delivered delivered, T payload) {
        super(handle, delivered.receipt());
        this.delivered = delivered;
        this.payload = payload;
        this.leaseEndMillis = delivered.message.leaseEndMillis();
    }

    @Override
    CompletableFuture<StoredMessage> message() {
        return CompletableFuture.completedFuture(delivered.message);
    }

    @Override
    void extended(long leaseEndNanos, Duration lease) {
        delivered.extended(leaseEndNanos);
        leaseEndMillis = handle.context.storageTime.nowMillis() + lease.toMillis();
    }

    @Override
    public Instant leaseEnd() {
        return Instant.ofEpochMilli(leaseEndMillis);
    }

    @Override
    public boolean isSettled() {
        return begun();
    }

    @Override
    public void close() {
        if (!begun()) {
            retry();
        }
    }

    @Override
    public String queue() {
        return handle.name();
    }

    @Override
    public T payload() {
        return payload;
    }

    @Override
    public EncodedPayload raw() {
        return delivered.message.payload();
    }

    @Override
    public Headers headers() {
        return delivered.message.headers();
    }

    @Override
    public int tries() {
        return delivered.message.tries();
    }

    @Override
    public Instant dueAt() {
        return Instant.ofEpochMilli(delivered.message.dueMillis());
    }

    @Override
    public Optional<Instant> pushedAt() {
        long millis = delivered.message.pushedMillis();
        return millis == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
    }

    @Override
    public String toString() {
        return "message " + id() + " of queue '" + queue() + "', attempt " + attempt();
    }
}
