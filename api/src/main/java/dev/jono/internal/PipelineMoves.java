package dev.jono.internal;

import dev.jono.Backoff;
import dev.jono.Headers;
import dev.jono.MessageQueue;
import dev.jono.OutgoingMessage;
import dev.jono.PushResult;
import dev.jono.Reservation;
import dev.jono.internal.queue.QueueImpl;
import dev.jono.internal.settle.ReservationImpl;
import dev.jono.spi.Due;
import dev.jono.spi.MoveItem;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Moves and retries messages for the stages of a pipeline. Called by {@code dev.jono.pipeline} on the threads of handlers, with
 * no lock held. Immutable.
 */
public final class PipelineMoves {
    private final Map<String, QueueImpl<?>> targets;
    private final String source;

    private PipelineMoves(String source, Map<String, QueueImpl<?>> targets) {
        this.source = source;
        this.targets = targets;
    }

    /**
     * Moves from a source to any of these targets.
     *
     * @throws IllegalArgumentException if the queues are not of the same factory, or their options name different pipelines
     */
    public static PipelineMoves between(MessageQueue<?> source, List<MessageQueue<?>> targets) {
        QueueImpl<?> from = queueImpl(source);
        from.handle.context.require(dev.jono.Capability.MOVE, "pipeline", source.name());
        Map<String, QueueImpl<?>> byName = new HashMap<>();
        for (MessageQueue<?> target : targets) {
            QueueImpl<?> to = queueImpl(target);
            if (to.handle.context != from.handle.context) {
                throw new IllegalArgumentException("queues '" + source.name() + "' and '" + target.name()
                        + "' of a pipeline must be of one factory");
            }
            if (!Objects.equals(to.handle.core.pipeline, from.handle.core.pipeline)) {
                throw new IllegalArgumentException("queues '" + source.name() + "' of pipeline '"
                        + from.handle.core.pipeline + "' and '" + target.name() + "' of pipeline '"
                        + to.handle.core.pipeline + "' must be of one");
            }
            byName.put(target.name(), to);
        }
        return new PipelineMoves(source.name(), byName);
    }

    private static QueueImpl<?> queueImpl(MessageQueue<?> queue) {
        if (queue.unwrapped() instanceof QueueImpl<?> ours) {
            return ours;
        }
        throw new IllegalArgumentException("queue '" + queue.name() + "' was not opened by a factory");
    }

    /**
     * Moves a message, and waits until the move is stored. A new payload passes the codec of the target and the interceptors,
     * as in a push. The interceptors see the headers of the message and the added ones.
     *
     * @param payload the new payload; null to keep the old one
     * @param delay after which the message is due in the target; null for at once
     * @throws IllegalArgumentException if the target is not one of the link
     * @throws dev.jono.StaleReservationException if the lease was lost
     */
    public void move(
            Reservation<?> delivery,
            String target,
            @Nullable Object payload,
            Headers headers,
            @Nullable Duration delay) {
        QueueImpl<?> to = targets.get(target);
        if (to == null) {
            throw new IllegalArgumentException("queue '" + target + "' is no target of the link from '" + source
                    + "'; its targets are " + targets.keySet());
        }
        Due due = delay == null ? Due.now() : Due.in(delay.toMillis());
        MoveItem.Builder change = MoveItem.builder().due(due);
        if (payload == null) {
            await(reservationImpl(delivery), change.addHeaders(headers), target);
        } else {
            moveChanged(reservationImpl(delivery), change, to, payload, headers);
        }
    }

    private static void await(ReservationImpl<?> reservation, MoveItem.Builder change, String target) {
        reservation.handle.await("move", reservation.move(change, target));
    }

    @SuppressWarnings("unchecked") // a payload of the wrong type fails in the codec, as an EncodingException
    private static <T> void moveChanged(
            ReservationImpl<?> reservation, MoveItem.Builder change, QueueImpl<T> to, Object payload, Headers headers) {
        Headers old = reservation.headers();
        OutgoingMessage outgoing = to.coder.outgoing((T) payload, old.merged(Set.of(), headers), reservation.id());
        Set<String> dropped = new HashSet<>(old.asMap().keySet());
        dropped.removeAll(outgoing.headers().asMap().keySet());
        change.payload(outgoing.payload()).dropHeaders(dropped).addHeaders(outgoing.headers());
        try {
            await(reservation, change, to.name());
        } catch (RuntimeException failure) {
            to.coder.pushed(outgoing, null, failure);
            throw failure;
        }
        to.coder.pushed(outgoing, PushResult.stored(reservation.id()), null);
    }

    /** Sets the backoff of this delivery; it replaces the backoff of its queue. */
    public static void backoff(Reservation<?> delivery, Backoff backoff) {
        reservationImpl(delivery).backoff(backoff);
    }

    private static ReservationImpl<?> reservationImpl(Reservation<?> delivery) {
        if (delivery instanceof ReservationImpl<?> ours) {
            return ours;
        }
        throw new IllegalArgumentException("message " + delivery.id() + " was not delivered by a worker");
    }
}
