package dev.jono.micrometer;

import dev.jono.Message;
import io.micrometer.common.KeyValues;

/** The names and attributes of OpenTelemetry's conventions for messaging, for a handler. Subclasses can add attributes. Thread-safe. */
public class OpenTelemetryHandleConvention implements HandleConvention {
    private final MessagingKeys keys = new MessagingKeys("handle", "process");

    /** For {@link JonoObservations}, and for subclasses. */
    public OpenTelemetryHandleConvention() {}

    @Override
    public String getName() {
        return "messaging.process.duration";
    }

    @Override
    public String getContextualName(HandleContext context) {
        return "handle " + context.queue();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(HandleContext context) {
        return keys.lowCardinality(context.queue());
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(HandleContext context) {
        return keys.highCardinality(
                context.isBatch() ? ofBatch(context) : ofMessage(context), context.queue(), context.getError());
    }

    private static KeyValues ofBatch(HandleContext context) {
        return KeyValues.of(
                MessagingKeys.BATCH_SIZE, String.valueOf(context.messages().size()));
    }

    private static KeyValues ofMessage(HandleContext context) {
        Message<?> message = context.messages().get(0);
        return KeyValues.of(
                MessagingKeys.MESSAGE_ID, message.id(), MessagingKeys.ATTEMPT, String.valueOf(message.attempt()));
    }
}
