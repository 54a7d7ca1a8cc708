package dev.jono.support.redis;

import static dev.jono.support.redis.Replies.number;

import dev.jono.spi.DeleteRequest;
import dev.jono.spi.DeleteResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Deletes a queue with a script that checks and removes in one step. */
public final class Deletion {
    private static final byte[] WITH_MESSAGES = RedisKeys.bytes(1);
    private static final byte[] EMPTY_ONLY = new byte[0];

    private Deletion() {}

    /**
     * Runs the script: it is given the queue's keys, then those of calls to forget, and 1 if the messages are deleted too; it
     * answers 1 if the queue is deleted, and how many messages it held.
     *
     * @param tokens of whose calls those are forgotten that were answered; nobody repeats these
     */
    public static CompletionStage<DeleteResult> run(
            RedisLink link,
            Script script,
            String queue,
            DeleteRequest request,
            List<byte[]> keys,
            List<CallTokens> tokens) {
        List<byte[]> all = new ArrayList<>(keys);
        tokens.forEach(calls -> all.addAll(calls.drainAnswered()));
        return link.run(script, queue, all.toArray(byte[][]::new), request.withMessages() ? WITH_MESSAGES : EMPTY_ONLY)
                .thenApply(answer -> {
                    long messages = number(answer.get(1));
                    return number(answer.get(0)) == 1 ? DeleteResult.deleted(messages) : DeleteResult.refused(messages);
                });
    }
}
