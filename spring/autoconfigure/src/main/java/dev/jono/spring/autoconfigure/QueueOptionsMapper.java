package dev.jono.spring.autoconfigure;

import dev.jono.Backoff;
import dev.jono.DeadLetter;
import dev.jono.QueueOptions;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/** Makes options of a queue from properties. A value that Jono refuses is reported with the name of its property. */
final class QueueOptionsMapper {
    private static final int DEFAULT_DELIVERIES = 25;

    private final String prefix;
    private final QueueOptions.Builder options = QueueOptions.builder();

    private QueueOptionsMapper(String prefix) {
        this.prefix = prefix;
    }

    /**
     * Makes options.
     *
     * @param prefix the prefix of the properties, for messages
     */
    static QueueOptions options(String prefix, QueueProperties properties) {
        return new QueueOptionsMapper(prefix).map(properties);
    }

    private QueueOptions map(QueueProperties from) {
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
        set(
                "backoff",
                from.backoff(),
                backoff -> options.backoff(
                        Backoff.exponential(backoff.first(), backoff.factor(), backoff.max(), backoff.jitter())));
        deadLetter(from);
        return options.build();
    }

    private void deadLetter(QueueProperties from) {
        if (from.maxDeliveries() == null && from.deadLetterQueue() == null) {
            return;
        }
        int deliveries = from.maxDeliveries() == null ? DEFAULT_DELIVERIES : from.maxDeliveries();
        set("max-deliveries", deliveries, limit -> {
            DeadLetter rule = limit == 0 ? DeadLetter.never() : DeadLetter.after(limit);
            options.deadLetter(from.deadLetterQueue() == null ? rule : rule.queue(from.deadLetterQueue()));
        });
    }

    private <T> void set(String name, @Nullable T value, Consumer<T> setter) {
        if (value == null) {
            return;
        }
        try {
            setter.accept(value);
        } catch (IllegalArgumentException refused) {
            throw new InvalidConfigurationPropertyValueException(
                    prefix + "." + name, value, String.valueOf(refused.getMessage()));
        }
    }

    private static int intBytes(DataSize size) {
        if (size.toBytes() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("at most " + Integer.MAX_VALUE + " bytes");
        }
        return (int) size.toBytes();
    }
}
