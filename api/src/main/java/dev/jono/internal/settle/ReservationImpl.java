package dev.jono.internal.settle;

import dev.jono.Backoff;
import dev.jono.Reservation;
import dev.jono.internal.claim.HeldMessage;
import dev.jono.internal.core.QueueHandle;
import dev.jono.internal.core.QueueSettings;
import dev.jono.internal.core.StoredView;
import dev.jono.spi.Due;
import dev.jono.spi.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A reserved message with its decoded payload. Called on the threads of users and handlers, with no lock held. Thread-safe.
 */
public final class ReservationImpl<T> extends LeaseImpl implements Reservation<T>, StoredView<T> {
    public final HeldMessage delivered;
    private final T payload;
    private final @Nullable ReleaseListener releases;
    private volatile long leaseEndMillis;
    private volatile @Nullable Backoff backoff;

    /** Is called before releases. */
    public interface ReleaseListener {
        /**
         * A message is about to be released. Called on the thread that releases it.
         *
         * @param due its new due time; null if it keeps its old one
         */
        void releasing(String id, @Nullable Due due);
    }

    /**
     * A reservation.
     *
     * @param releases is called before each release; null except for the handlers of workers
     */
    public ReservationImpl(QueueHandle handle, HeldMessage delivered, T payload, @Nullable ReleaseListener releases) {
        super(handle, delivered.receipt());
        this.delivered = delivered;
        this.payload = payload;
        this.releases = releases;
        this.leaseEndMillis = delivered.message.leaseEndMillis();
    }

    @Override
    CompletableFuture<StoredMessage> message() {
        return CompletableFuture.completedFuture(delivered.message);
    }

    @Override
    void extended(long leaseEndNanos, Duration lease) {
        delivered.setLeaseEnd(leaseEndNanos);
        leaseEndMillis = handle.context.storageClock.nowMillis() + lease.toMillis();
    }

    /** Sets the backoff of this delivery; it replaces the backoff of the queue. */
    public void backoff(Backoff ofDelivery) {
        backoff = ofDelivery;
    }

    @Override
    public Duration retryDelay(int attempt) {
        Backoff ofDelivery = backoff;
        return ofDelivery == null ? super.retryDelay(attempt) : QueueSettings.retryDelay(ofDelivery, attempt);
    }

    @Override
    void wentBack() {
        delivered.wentBack();
    }

    @Override
    void releasing(@Nullable Due due) {
        if (releases != null) {
            releases.releasing(id(), due);
        }
    }

    @Override
    public Instant leaseEnd() {
        return Instant.ofEpochMilli(leaseEndMillis);
    }

    @Override
    public boolean isRedelivered() {
        return !delivered.message.firstDelivery();
    }

    @Override
    public boolean isSettled() {
        return isSettling();
    }

    @Override
    public void close() {
        if (!isSettling() && !delivered.isStale()) {
            retry();
        }
    }

    @Override
    public StoredMessage stored() {
        return delivered.message;
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
    public String toString() {
        return "message " + id() + " of queue '" + queue() + "', attempt " + attempt();
    }
}
