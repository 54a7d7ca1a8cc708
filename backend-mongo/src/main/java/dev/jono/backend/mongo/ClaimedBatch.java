package dev.jono.backend.mongo;

import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import java.util.List;

/**
 * The messages of one take or claim.
 *
 * @param more whether more messages are certainly due
 * @param nowMillis the server's clock
 */
record ClaimedBatch(List<StoredMessage> messages, boolean more, long nowMillis) {
    ClaimResult result(long nextMillis) {
        return ClaimResult.builder()
                .messages(messages)
                .nextMillis(nextMillis)
                .storageMillis(nowMillis)
                .build();
    }
}
