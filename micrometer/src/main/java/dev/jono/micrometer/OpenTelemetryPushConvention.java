package dev.jono.micrometer;

import dev.jono.PushResult;
import io.micrometer.common.KeyValues;

/** The names and attributes of OpenTelemetry's conventions for messaging, for a push. Subclasses can add attributes. Thread-safe. */
public class OpenTelemetryPushConvention implements PushConvention {
    private final MessagingKeys keys = new MessagingKeys("push", "send");

    /** For {@link JonoObservations}, and for subclasses. */
    public OpenTelemetryPushConvention() {}

    @Override
    public String getName() {
        return "messaging.client.operation.duration";
    }

    @Override
    public String getContextualName(PushContext context) {
        return "push " + context.message().queue();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(PushContext context) {
        return keys.lowCardinality(context.message().queue());
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(PushContext context) {
        PushResult result = context.result();
        KeyValues values = result == null ? KeyValues.empty() : KeyValues.of(MessagingKeys.MESSAGE_ID, result.id());
        return keys.highCardinality(values, context.message().queue(), context.getError());
    }
}
