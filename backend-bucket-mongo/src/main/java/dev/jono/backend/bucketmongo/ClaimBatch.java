package dev.jono.backend.bucketmongo;

import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import java.util.List;

/**
 * The messages that a claim or take got.
 *
 * @param more whether the queue may hold more messages that can be claimed
 * @param nowMillis the server's time
 */
record ClaimBatch(List<StoredMessage> messages, boolean more, long nowMillis) {
    ClaimResult result(long nextMillis) {
        return ClaimResult.builder()
                .messages(messages)
                .nextMillis(nextMillis)
                .storageMillis(nowMillis)
                .build();
    }
}
