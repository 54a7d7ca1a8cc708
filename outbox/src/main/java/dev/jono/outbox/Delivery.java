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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Pushes messages of the outbox into their queues. Messages of one key are pushed one after the other, because a push that
 * fails must not be overtaken; all others together. Used by one thread.
 */
final class Delivery {
    private final QueueFactory jono;

    Delivery(QueueFactory jono) {
        this.jono = jono;
    }

    /** What became of some messages. Those that are in neither collection are to be relayed again. */
    static final class Result {
        /** The numbers of messages that are in their queues. */
        final List<Long> done = new ArrayList<>();

        /** By number, why no queue takes the message. */
        final Map<Long, String> refused = new LinkedHashMap<>();

        /** A failure of a message that is to be relayed again; null for none. */
        @Nullable Throwable failure;
    }

    Result deliver(List<OutboxRow> rows) {
        Result result = new Result();
        Set<String> failedKeys = new HashSet<>();
        List<OutboxRow> rest = rows;
        while (!rest.isEmpty()) {
            List<OutboxRow> now = new ArrayList<>();
            List<OutboxRow> later = new ArrayList<>();
            Set<String> keys = new HashSet<>();
            for (OutboxRow row : rest) {
                String key = key(row);
                if (key == null || keys.add(key)) {
                    now.add(row);
                } else {
                    later.add(row);
                }
            }
            push(now, result, failedKeys);
            later.removeIf(row -> failedKeys.contains(key(row)));
            rest = later;
        }
        return result;
    }

    private static @Nullable String key(OutboxRow row) {
        return row.key() == null ? null : row.queue() + '\0' + row.key();
    }

    private void push(List<OutboxRow> rows, Result result, Set<String> failedKeys) {
        List<CompletableFuture<PushResult>> started =
                rows.stream().map(this::start).toList();
        for (int i = 0; i < rows.size(); i++) {
            OutboxRow row = rows.get(i);
            try {
                started.get(i).join();
                result.done.add(row.number());
            } catch (CompletionException failed) {
                Throwable cause = failed.getCause() == null ? failed : failed.getCause();
                if (isFinal(cause)) {
                    result.refused.put(row.number(), String.valueOf(cause));
                } else {
                    result.failure = cause;
                    String key = key(row);
                    if (key != null) {
                        failedKeys.add(key);
                    }
                }
            }
        }
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

    /** Whether the same push would fail again. */
    private static boolean isFinal(Throwable failure) {
        return failure instanceof PayloadTooLargeException
                || failure instanceof EncodingException
                || failure instanceof UnsupportedCapabilityException
                || failure instanceof IllegalArgumentException;
    }
}
