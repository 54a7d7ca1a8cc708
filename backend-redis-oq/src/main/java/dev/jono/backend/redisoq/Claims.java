package dev.jono.backend.redisoq;

import static dev.jono.support.redis.Replies.number;
import static dev.jono.support.redis.Replies.text;

import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.redis.CallTokens;
import dev.jono.support.redis.MessageIds;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Leases due messages. */
final class Claims {
    private static final int FIRST_MESSAGE = 4;
    private static final int LONG_MESSAGE = 3;

    private final RedisLink link;
    private final String queue;
    private final QueueKeys keys;
    private final byte[] markBytes;
    private final ClaimChain chain;

    /**
     * The claims of a queue.
     *
     * @param markBytes the longest text that a claim marks as reserved for keuss; none is marked in a queue with ordering keys
     */
    Claims(RedisLink link, String queue, QueueKeys keys, int markBytes) {
        this.link = link;
        this.queue = queue;
        this.keys = keys;
        // A mark is for keuss, which cannot reach a queue with ordering keys.
        this.markBytes = RedisKeys.bytes(keys.keyed ? 0 : markBytes);
        this.chain = new ClaimChain("reserve", queue, keys);
    }

    /** The tokens of the calls that Redis remembers. */
    CallTokens tokens() {
        return chain.tokens();
    }

    CompletionStage<ClaimResult> claim(ClaimRequest request) {
        byte[] lease = RedisKeys.bytes(request.leaseMillis());
        byte[] isolate = RedisKeys.bytes(request.isolateTries());
        byte[] isolateExpired = RedisKeys.bytes(request.isolateExpiredTries());
        return chain.run(request, step -> {
            String fence = MessageIds.hash(step.token);
            return link.run(
                            keys.scripts.claim,
                            queue,
                            chain.keys(step),
                            RedisKeys.bytes(step.max),
                            Limits.READ_BYTES,
                            Limits.MEMORY_MILLIS,
                            lease,
                            RedisKeys.bytes(fence),
                            isolate,
                            isolateExpired,
                            ScriptArgs.flag(step.repeated),
                            markBytes,
                            RedisKeys.bytes(request.maxPerKey()))
                    .thenApply(answer -> ClaimChain.result(
                            answer, FIRST_MESSAGE, LONG_MESSAGE, () -> messages(answer, fence, step.repeated)));
        });
    }

    private List<StoredMessage> messages(List<Object> answer, String fence, boolean repeated) {
        List<String> ids = new ArrayList<>(answer.size());
        List<byte[]> texts = new ArrayList<>(answer.size());
        for (int i = FIRST_MESSAGE; i < answer.size(); i++) {
            byte[] text = (byte[]) answer.get(i);
            if (text.length > 0) {
                ids.add(MessageReader.id(text));
                texts.add(text);
            } else {
                ids.add(text(answer.get(i + 1)));
                texts.add((byte[]) answer.get(i + 2));
                i += LONG_MESSAGE - 1;
            }
        }
        MessageReader.Lease lease = lease(answer, fence, ids, repeated);
        List<StoredMessage> messages = new ArrayList<>(ids.size());
        for (int i = 0; i < ids.size(); i++) {
            messages.add(MessageReader.claimed(ids.get(i), texts.get(i), lease));
        }
        if (repeated && !keys.keyed) {
            // The index orders messages of one lease by id.
            messages.sort(Comparator.comparingLong(StoredMessage::dueMillis).thenComparing(StoredMessage::id));
        }
        return messages;
    }

    private static MessageReader.Lease lease(List<Object> answer, String fence, List<String> ids, boolean repeated) {
        boolean isolated = number(answer.get(2)) == 1;
        String end = text(answer.get(3));
        // A repeated claim may return fewer messages than it leases: it leaves out those that have no text.
        ClaimToken token = repeated ? ClaimToken.ofUnknownBatch(fence, end) : ClaimToken.ofBatch(fence, end, ids);
        return new MessageReader.Lease(token.token(), end.isEmpty() ? 0 : (long) Double.parseDouble(end), isolated);
    }
}
