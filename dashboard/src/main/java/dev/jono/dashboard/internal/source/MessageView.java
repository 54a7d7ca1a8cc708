package dev.jono.dashboard.internal.source;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.jono.BrowsedMessage;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as it is shown.
 *
 * @param id its id
 * @param queue its queue
 * @param state ready, scheduled, reserved, blocked or processed
 * @param key its ordering key; null if it has none
 * @param tries how many deliveries it had
 * @param dueAt its due time
 * @param pushedAt when it was pushed; null if the storage does not keep it
 * @param headers its headers
 * @param payload its payload, whole or cut
 */
public record MessageView(
        String id,
        String queue,
        String state,
        @Nullable String key,
        int tries,
        Instant dueAt,
        @Nullable Instant pushedAt,
        Map<String, Object> headers,
        PayloadView payload) {
    static MessageView of(BrowsedMessage<EncodedPayload> message, Payloads payloads) {
        return new MessageView(
                message.id(),
                message.queue(),
                message.state().name().toLowerCase(Locale.ROOT),
                message.key().orElse(null),
                message.tries(),
                message.dueAt(),
                message.pushedAt().orElse(null),
                message.headers().asMap(),
                payloads.view(message.queue(), message.raw()));
    }

    /** Why it is a dead letter; null if it is none. */
    @JsonIgnore
    public @Nullable String deadLetterReason() {
        return text(Headers.DL_REASON);
    }

    /** The error of the last delivery of a dead letter; null if there is none. */
    @JsonIgnore
    public @Nullable String deadLetterError() {
        return text(Headers.DL_ERROR);
    }

    /** The queue that a dead letter came from; null if it is none. */
    @JsonIgnore
    public @Nullable String deadLetterOrigin() {
        return text(Headers.DL_FROM_QUEUE);
    }

    private @Nullable String text(String header) {
        Object value = headers.get(header);
        return value == null ? null : value.toString();
    }
}
