package dev.jono.internal;

import dev.jono.Headers;
import dev.jono.spi.Due;
import dev.jono.spi.MoveItem;
import dev.jono.spi.Receipt;
import dev.jono.spi.StoredMessage;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The way to the dead-letter queue. */
final class DeadLetters {
    static final String LIMIT = "limit";
    static final String EXPIRED = "expired";
    static final String REJECTED = "rejected";
    static final String UNDECODABLE = "undecodable";

    private static final int LONGEST_ERROR = 1000;
    private static final DateTimeFormatter ISO_MILLIS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private DeadLetters() {}

    /** Headers that tell where a dead letter came from and why. */
    static Headers headers(EngineContext context, String queue, int tries, String reason, @Nullable String error) {
        Map<String, Object> headers = new LinkedHashMap<>();
        headers.put(Headers.DL_FROM_QUEUE, queue);
        headers.put(Headers.DL_TIME, ISO_MILLIS.format(Instant.ofEpochMilli(context.storageClock.nowMillis())));
        headers.put(Headers.DL_TRIES, tries);
        headers.put(Headers.DL_REASON, reason);
        if (error != null) {
            headers.put(Headers.DL_ERROR, error.length() > LONGEST_ERROR ? error.substring(0, LONGEST_ERROR) : error);
        }
        return Headers.fromStored(headers);
    }

    /** Moves a reserved message to the dead-letter queue. */
    static CompletableFuture<Void> move(
            QueueCore core,
            Receipt receipt,
            StoredMessage message,
            String deadLetterQueue,
            String reason,
            @Nullable String error) {
        MoveItem item = MoveItem.builder()
                .receipt(receipt)
                .toQueue(deadLetterQueue)
                .due(Due.now())
                .dropHeaders(Headers.DEAD_LETTER)
                .addHeaders(headers(core.context, core.name, message.tries(), reason, error))
                .build();
        return MessageMove.move(core, item, message, "reject")
                .thenRun(() -> core.pendingCounts.add(dev.jono.spi.Counter.DEAD_LETTERED, 1));
    }
}
