package dev.jono.spring.autoconfigure;

import dev.jono.Backoff;
import dev.jono.DeadLetter;
import dev.jono.QueueOptions;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** Makes options of a queue from properties. A value that Jono refuses is reported with the name of its property. */
final class QueueOptionsMapper {
    private static final int DEFAULT_DELIVERIES = 25;

    private final String prefix;
    private final QueueProperties from;
    private final QueueProperties defaults;
    private final QueueOptions.Builder options = QueueOptions.builder();

    private QueueOptionsMapper(String prefix, QueueProperties from, QueueProperties defaults) {
        this.prefix = prefix;
        this.from = from;
        this.defaults = defaults;
    }

    /**
     * Makes options.
     *
     * @param prefix the prefix of the properties, for messages
     * @param defaults the properties of all queues. The factory applies them too, but an option of several properties only as a whole. So
     *     they complete such options here
     */
    static QueueOptions options(String prefix, QueueProperties properties, QueueProperties defaults) {
        return new QueueOptionsMapper(prefix, properties, defaults).map();
    }

    private QueueOptions map() {
        set("lease", from.lease(), options::lease);
        set("poll-interval", from.pollInterval(), options::pollInterval);
        set("operation-timeout", from.operationTimeout(), options::operationTimeout);
        set("history", from.history(), options::history);
        set("ordered", from.ordered(), options::ordered);
        set("keyed", from.keyed(), options::keyed);
        set("max-payload", from.maxPayload(), size -> options.maxPayloadBytes(intBytes(size)));
        set("max-pending-messages", from.maxPendingMessages(), options::maxPendingMessages);
        set("max-pending", from.maxPending(), size -> options.maxPendingBytes(size.toBytes()));
        set("consumer", from.consumer(), options::consumer);
        set("signaller", from.signaller(), options::signaller);
        set("stats", from.stats(), options::stats);
        set("pipeline", from.pipeline(), options::pipeline);
        backoff();
        deadLetter();
        return options.build();
    }

    private void backoff() {
        QueueProperties.Backoff own = from.backoff();
        if (own == null) {
            return;
        }
        Duration none = Duration.ZERO;
        set("backoff.first", own.first(), first -> Backoff.exponential(first, 1, none, 0));
        set("backoff.factor", own.factor(), factor -> Backoff.exponential(none, factor, none, 0));
        set("backoff.max", own.max(), max -> Backoff.exponential(none, 1, max, 0));
        set("backoff.jitter", own.jitter(), jitter -> Backoff.exponential(none, 1, none, jitter));
        options.backoff(Backoff.exponential(
                part(QueueProperties.Backoff::first, Duration.ofSeconds(1)),
                part(QueueProperties.Backoff::factor, 2.0),
                part(QueueProperties.Backoff::max, Duration.ofMinutes(10)),
                part(QueueProperties.Backoff::jitter, 0.2)));
    }

    private <T> T part(Function<QueueProperties.Backoff, @Nullable T> part, T standard) {
        return first(
                part.apply(Objects.requireNonNullElse(from.backoff(), QueueProperties.Backoff.NONE)),
                part.apply(Objects.requireNonNullElse(defaults.backoff(), QueueProperties.Backoff.NONE)),
                standard);
    }

    private void deadLetter() {
        if (from.maxDeliveries() == null && from.deadLetterQueue() == null) {
            return;
        }
        int deliveries = first(from.maxDeliveries(), defaults.maxDeliveries(), DEFAULT_DELIVERIES);
        String queue = first(from.deadLetterQueue(), defaults.deadLetterQueue(), DeadLetter.DEFAULT_QUEUE);
        set(
                "max-deliveries",
                deliveries,
                limit -> options.deadLetter(rule(limit).queue(queue)));
    }

    private static DeadLetter rule(int deliveries) {
        if (deliveries < 0) {
            throw new IllegalArgumentException("must be at least 1, or 0 for no limit: " + deliveries);
        }
        return deliveries == 0 ? DeadLetter.never() : DeadLetter.after(deliveries);
    }

    private static <T> T first(@Nullable T own, @Nullable T byDefault, T standard) {
        return own != null ? own : byDefault != null ? byDefault : standard;
    }

    private <T> void set(String name, @Nullable T value, Consumer<T> setter) {
        PropertyCheck.apply(prefix + "." + name, value, setter);
    }

    private static int intBytes(DataSize size) {
        if (size.toBytes() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("at most " + Integer.MAX_VALUE + " bytes");
        }
        return (int) size.toBytes();
    }
}
