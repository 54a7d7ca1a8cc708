package dev.jono.backend.redislist;

import static dev.jono.support.redis.Replies.number;

import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.redis.CallTokens;
import dev.jono.support.redis.Envelope;
import dev.jono.support.redis.MessageIds;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * Removes messages from the list and returns them. The script moves them into a list of the call's own, under the key by which
 * Redis remembers the call; the client reads that list in the same round trip.
 */
final class Takes {
    private static final byte[] EMPTY = new byte[0];
    private static final byte[] YES = RedisKeys.bytes(1);
    private static final byte[] READ_BYTES = RedisKeys.bytes(Limits.READ_BYTES);

    private final RedisLink link;
    private final String queue;
    private final byte[] list;
    private final UnaryOperator<String> callKeys;

    /** Only the latest: the engine keeps one take in flight, and the remembered result holds payloads. */
    private final CallTokens tokens = new CallTokens(1);

    /** The average size of the latest take's messages, in bytes; 0 before the first. Limits how many the next one asks for. */
    private volatile long averageBytes;

    /**
     * The takes of a queue.
     *
     * @param callKeys from the token of a call to the key under which Redis remembers it
     */
    Takes(RedisLink link, String queue, byte[] list, UnaryOperator<String> callKeys) {
        this.link = link;
        this.queue = queue;
        this.list = list;
        this.callKeys = callKeys;
    }

    /** The tokens of the calls that Redis remembers. */
    CallTokens tokens() {
        return tokens;
    }

    CompletionStage<ClaimResult> take(ClaimRequest request) {
        byte[] key = link.keys().key(callKeys.apply(request.token()));
        long average = averageBytes;
        long fitting = Limits.READ_BYTES / Math.max(1, average);
        long max = Math.max(1, Math.min(Math.min(request.max(), Limits.MAX_BATCH), fitting));
        CallTokens.Call call = tokens.begin(request.token());
        return call.track(link.runAndReadList(
                        Scripts.TAKE,
                        queue,
                        key,
                        answer -> (int) number(answer.get(2)),
                        tokens.withObsolete(list, key),
                        RedisKeys.bytes(max),
                        READ_BYTES,
                        Limits.MEMORY_MILLIS,
                        average == 0 ? YES : EMPTY,
                        call.repeated() ? YES : EMPTY)
                .thenApply(taken -> {
                    if (!taken.list().isEmpty()) {
                        call.answered(key);
                        averageBytes = 1 + average(taken.list());
                    }
                    return result(taken, MessageIds.suffix(request.token()));
                }));
    }

    private static long average(List<byte[]> texts) {
        return texts.stream().mapToLong(text -> text.length).sum() / texts.size();
    }

    private static ClaimResult result(RedisLink.AnswerAndList taken, String suffix) {
        long now = number(taken.answer().get(0));
        List<byte[]> texts = taken.list();
        return ClaimResult.builder()
                .messages(texts.size(), () -> messages(texts, suffix, now))
                .nextMillis(number(taken.answer().get(1)) > 0 ? 0 : ClaimResult.NONE)
                .storageMillis(now)
                .build();
    }

    private static List<StoredMessage> messages(List<byte[]> texts, String suffix, long now) {
        List<StoredMessage> messages = new ArrayList<>(texts.size());
        for (byte[] text : texts) {
            messages.add(message(text, suffix, messages.size(), now));
        }
        return messages;
    }

    /**
     * Decodes a message. One without an id gets one that no other call gives.
     *
     * @param suffix the end of ids that this call gives
     * @param index of the message in the call's list
     */
    static StoredMessage message(byte[] text, String suffix, int index, long now) {
        Envelope.Parsed parsed = Envelope.read(text);
        String own = parsed.id();
        String id = own == null ? now + "000" + MessageIds.ending(index, suffix) : own;
        long stored = own == null ? 0 : MessageIds.storedMillis(id);
        return StoredMessage.builder()
                .id(id)
                .payload(parsed.payload())
                .headers(parsed.headers())
                .tries(parsed.tries())
                .dueMillis(stored == 0 ? now : stored)
                .pushedMillis(stored)
                .build();
    }
}
