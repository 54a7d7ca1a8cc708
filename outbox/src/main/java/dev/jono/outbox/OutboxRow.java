package dev.jono.outbox;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PushOptions;
import dev.jono.UniqueKey;
import dev.jono.spi.HeaderText;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message in the outbox. Immutable.
 *
 * @param number its place in the order of pushes; 0 before it is stored
 * @param message its id
 * @param headers in the form of {@link HeaderText}; null for none
 * @param dueMillis when it is due; null if the delay decides
 * @param uniqueKey the unique key of the application; null if it has none
 */
record OutboxRow(
        long number,
        String message,
        String queue,
        EncodedPayload payload,
        @Nullable String headers,
        @Nullable String key,
        @Nullable Long dueMillis,
        long delayMillis,
        int tries,
        @Nullable String uniqueScope,
        @Nullable String uniqueKey,
        long uniqueMillis) {

    /** How long a repeated relay of the message is harmless. */
    private static final Duration WINDOW = Duration.ofDays(1);

    static OutboxRow of(String id, String queue, EncodedPayload payload, PushOptions options) {
        UniqueKey unique = options.unique().orElse(null);
        return new OutboxRow(
                0,
                id,
                queue,
                payload,
                HeaderText.write(options.headers()),
                options.key().orElse(null),
                options.dueAt().map(Instant::toEpochMilli).orElse(null),
                options.delay().toMillis(),
                options.tries(),
                unique == null ? null : unique.scope(),
                unique == null ? null : unique.key(),
                unique == null ? 0 : unique.window().toMillis());
    }

    /**
     * The options of the push into the queue.
     *
     * @param deduplicates whether the backend of the queue knows unique keys
     */
    PushOptions options(boolean deduplicates) {
        PushOptions options = dueMillis != null
                ? PushOptions.at(Instant.ofEpochMilli(dueMillis))
                : PushOptions.delay(Duration.ofMillis(delayMillis));
        options = options.tries(tries);
        for (Map.Entry<String, Object> header : HeaderText.read(headers).asMap().entrySet()) {
            if (!header.getKey().equals(Headers.KEY)) {
                options = options.header(header.getKey(), header.getValue());
            }
        }
        if (key != null) {
            options = options.key(key);
        }
        if (uniqueKey != null) {
            Duration window = Duration.ofMillis(uniqueMillis);
            return uniqueScope == null
                    ? options.unique(uniqueKey, window)
                    : options.unique(uniqueScope, uniqueKey, window);
        }
        return deduplicates ? options.unique(message, WINDOW) : options;
    }
}
