package dev.jono.internal.settle;

import dev.jono.Headers;
import dev.jono.internal.claim.ClaimTerms;
import dev.jono.internal.claim.DeliveryLimit;
import dev.jono.internal.claim.HeldMessage;
import dev.jono.internal.core.QueueCore;
import dev.jono.internal.log.Log;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.spi.Due;
import dev.jono.spi.MoveItem;
import dev.jono.spi.Receipt;
import dev.jono.spi.StoredMessage;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Moves messages to dead-letter queues. Called on the threads of users and of handlers, and by claims on the threads of the
 * storage. Stateless.
 */
public final class DeadLetters {
    private static final Log LOG = Log.named("dev.jono");

    public static final String LIMIT = "limit";
    static final String EXPIRED = "expired";
    static final String REJECTED = "rejected";
    public static final String UNDECODABLE = "undecodable";

    /** The maximum length of a stored error, in characters. */
    private static final int MAX_ERROR_LENGTH = 1000;

    private static final DateTimeFormatter ISO_MILLIS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private DeadLetters() {}

    /** Headers that say where a dead letter came from, and why. */
    public static Headers headers(
            EngineContext context, String queue, int tries, String reason, @Nullable String error) {
        Map<String, Object> headers = new LinkedHashMap<>();
        headers.put(Headers.DL_FROM_QUEUE, queue);
        headers.put(Headers.DL_TIME, ISO_MILLIS.format(Instant.ofEpochMilli(context.storageClock.nowMillis())));
        headers.put(Headers.DL_TRIES, tries);
        headers.put(Headers.DL_REASON, reason);
        if (error != null) {
            headers.put(Headers.DL_ERROR, error.substring(0, Math.min(error.length(), MAX_ERROR_LENGTH)));
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

    /** The delivery limit of a queue: messages that have reached it are moved to the dead-letter queue. */
    public static DeliveryLimit limit(QueueCore core) {
        return (messages, terms, sentNanos) -> belowLimit(core, messages, terms, sentNanos);
    }

    private static List<HeldMessage> belowLimit(
            QueueCore core, List<StoredMessage> messages, ClaimTerms terms, long sentNanos) {
        List<HeldMessage> handed = new ArrayList<>(messages.size());
        for (StoredMessage message : messages) {
            HeldMessage delivered = new HeldMessage(message, terms, sentNanos);
            if (terms.reserves()
                    && message.tries() >= terms.maxDeliveries()
                    && !core.name.equals(terms.deadLetterQueue())) {
                String reason = message.expired() ? EXPIRED : LIMIT;
                String error = message.expired() ? "the lease of its last delivery ended unsettled" : null;
                // The tries of a message do not include its last delivery, which has ended already.
                StoredMessage ended = message.with(message.dueMillis(), Math.max(0, message.tries() - 1));
                move(core, delivered.receipt(), ended, terms.deadLetterQueue(), reason, error)
                        .whenComplete((done, failure) -> {
                            if (failure != null) {
                                LOG.outage(
                                        core.context.outages,
                                        failure,
                                        "message {} of queue '{}' could not be dead-lettered; tried again after its lease",
                                        message.id(),
                                        core.name);
                            }
                        });
            } else {
                handed.add(delivered);
            }
        }
        if (terms.maxPerKey() > 1) {
            HeldMessage.linkByKey(handed);
        }
        return handed;
    }
}
