package dev.jono.micrometer;

import io.micrometer.common.KeyValues;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of OpenTelemetry's semantic conventions for messaging, version 1.44, for one operation. Attributes that these call opt-in,
 * such as the size of the body, are left out. Thread-safe.
 */
final class MessagingKeys {
    static final String MESSAGE_ID = "messaging.message.id";
    static final String BATCH_SIZE = "messaging.batch.message_count";

    /** An attribute of Jono's own, in the name space that the conventions give to a system. */
    static final String ATTEMPT = "messaging.jono.message.attempt";

    private static final String SYSTEM = "messaging.system";
    private static final String DESTINATION = "messaging.destination.name";
    private static final String OPERATION_NAME = "messaging.operation.name";
    private static final String OPERATION_TYPE = "messaging.operation.type";
    private static final String ERROR_TYPE = "error.type";

    /** More queues than this, or more types of jobs, share a time series. */
    private static final int MAX_QUEUES = 100;

    private final KeyValues operation;
    private final Map<String, KeyValues> byTag = new ConcurrentHashMap<>();
    private final QueueTags tags = new QueueTags(UnaryOperator.identity(), MAX_QUEUES);

    /**
     * The attributes of an operation.
     *
     * @param name what Jono calls it
     * @param type what the conventions call it
     */
    MessagingKeys(String name, String type) {
        this.operation = KeyValues.of(SYSTEM, "jono", OPERATION_NAME, name, OPERATION_TYPE, type);
    }

    /** For timers: the number of their values is bounded. */
    KeyValues lowCardinality(String queue) {
        String tag = tags.of(queue);
        KeyValues known = byTag.get(tag);
        return known != null ? known : byTag.computeIfAbsent(tag, name -> operation.and(DESTINATION, name));
    }

    /** For spans, which always have the name of the queue, and the class of an error. */
    KeyValues highCardinality(KeyValues values, String queue, @Nullable Throwable error) {
        KeyValues named = tags.of(queue).equals(queue) ? values : values.and(DESTINATION, queue);
        return error == null ? named : named.and(ERROR_TYPE, nameOf(error.getClass()));
    }

    private static String nameOf(Class<?> type) {
        String canonical = type.getCanonicalName();
        return canonical != null ? canonical : type.getName();
    }
}
