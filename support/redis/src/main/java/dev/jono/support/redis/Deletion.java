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
     * Runs the script. Its keys are the queue's and those of remembered calls; its argument is 1 if messages are deleted too. It
     * answers whether the queue is deleted (1 or 0), and how many messages it held.
     *
     * @param tokens the calls that Redis remembers. The script deletes those that were answered; no caller repeats them
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
