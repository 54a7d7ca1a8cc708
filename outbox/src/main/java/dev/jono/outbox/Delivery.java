package dev.jono.outbox;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.MessageQueue;
import dev.jono.PayloadTooLargeException;
import dev.jono.PushResult;
import dev.jono.QueueFactory;
import dev.jono.UnsupportedCapabilityException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The pushes of some messages of the outbox into one queue. Messages of one key are pushed one after the other, because a push
 * that fails must not be overtaken; all others together. Started and read by the thread of the relay, which it never blocks.
 */
final class Delivery {
    private final QueueFactory jono;
    private final List<OutboxRow> rows;

    /** The push of each row. It fails if the row is to be relayed again. */
    private final List<CompletableFuture<Answer>> pushes = new ArrayList<>();

    private final CompletableFuture<?> end;

    /** @param refusal why no queue takes the message; null if it is in its queue */
    private record Answer(@Nullable String refusal) {}

    /** What became of the messages. Those that are in neither collection are to be relayed again. */
    static final class Result {
        /** The numbers of messages that are in their queue. */
        final List<Long> done = new ArrayList<>();

        /** By number, why no queue takes the message. */
        final Map<Long, String> refused = new LinkedHashMap<>();

        /** A failure of a message that is to be relayed again; null for none. */
        @Nullable Throwable failure;
    }

    /**
     * Starts the pushes.
     *
     * @param rows messages of one queue, in the order of their numbers
     */
    Delivery(QueueFactory jono, List<OutboxRow> rows) {
        this.jono = jono;
        this.rows = rows;
        Map<String, CompletableFuture<Answer>> lastOfKey = new HashMap<>();
        for (OutboxRow row : rows) {
            String key = row.key();
            CompletableFuture<Answer> before = key == null ? null : lastOfKey.get(key);
            CompletableFuture<Answer> push = before == null ? push(row) : before.thenCompose(done -> push(row));
            if (key != null) {
                lastOfKey.put(key, push);
            }
            pushes.add(push);
        }
        this.end = CompletableFuture.allOf(pushes.toArray(CompletableFuture[]::new))
                .exceptionally(failure -> null);
    }

    /** Completes when no push is in flight, whatever became of them. */
    CompletableFuture<?> end() {
        return end;
    }

    /** The result, after the end. */
    Result result() {
        Result result = new Result();
        for (int i = 0; i < rows.size(); i++) {
            long number = rows.get(i).number();
            try {
                String refusal = pushes.get(i).join().refusal;
                if (refusal == null) {
                    result.done.add(number);
                } else {
                    result.refused.put(number, refusal);
                }
            } catch (CompletionException failed) {
                result.failure = cause(failed);
            }
        }
        return result;
    }

    private CompletableFuture<Answer> push(OutboxRow row) {
        return start(row).thenApply(stored -> new Answer(null)).exceptionally(failure -> {
            Throwable cause = cause(failure);
            if (isFinal(cause)) {
                return new Answer(String.valueOf(cause));
            }
            throw new CompletionException(cause);
        });
    }

    private CompletableFuture<PushResult> start(OutboxRow row) {
        try {
            MessageQueue<EncodedPayload> queue = jono.queue(row.queue(), Codec.raw());
            return queue.pushAsync(
                    row.payload(), row.options(queue.capabilities().contains(Capability.DEDUPLICATE)));
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    /** Whether the same push would fail again. */
    private static boolean isFinal(Throwable failure) {
        return failure instanceof PayloadTooLargeException
                || failure instanceof EncodingException
                || failure instanceof UnsupportedCapabilityException
                || failure instanceof IllegalArgumentException;
    }
}
