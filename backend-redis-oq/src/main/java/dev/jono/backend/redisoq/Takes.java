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
import dev.jono.support.redis.ScriptChain;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Takes and claims. One of each is under way at a time, as up to three scripts. */
final class Takes {
    private final RedisLink link;
    private final String queue;
    private final QueueKeys keys;
    private final ScriptChain parts;
    private final byte[] marked;
    /** Only the latest call is ever repeated; what a take brought is remembered with its payloads. */
    private final Kind takes = new Kind();

    private final Kind claims = new Kind();

    /**
     * Of a queue.
     *
     * @param markBytes the longest text that is marked for keuss while it is held
     */
    Takes(RedisLink link, String queue, QueueKeys keys, int markBytes) {
        this.link = link;
        this.queue = queue;
        this.keys = keys;
        this.parts = new ScriptChain(queue, RedisOqBackend.MAX_SCRIPT);
        this.marked = RedisKeys.bytes(markBytes);
    }

    /** What is known of the calls of one kind. */
    private static final class Kind {
        final CallTokens tokens = new CallTokens(3);
        /** Whether the latest call brought less than it asked for: then a second script would hardly find anything. */
        volatile boolean scarce;
    }

    /** The calls that Redis remembers of these. */
    List<CallTokens> tokens() {
        return List.of(takes.tokens, claims.tokens);
    }

    CompletionStage<ClaimResult> take(ClaimRequest request) {
        return inParts(
                "pop", takes, request, (max, call, before, token, repeated) -> take(max, call, before, repeated));
    }

    private CompletionStage<ClaimResult> take(int max, byte[] call, byte[] before, boolean repeated) {
        byte[][] names = {keys.index, keys.hash, keys.claims, call, before};
        return link.run(
                        Scripts.TAKE,
                        queue,
                        takes.tokens.withObsolete(names),
                        RedisKeys.bytes(max),
                        RedisOqQueue.READ_BYTES,
                        RedisOqQueue.MEMORY_MILLIS,
                        repeated ? ScriptArgs.ONE : ScriptArgs.ZERO)
                .thenApply(answer -> result(answer, 2, 4, () -> taken(answer)));
    }

    private static List<StoredMessage> taken(List<Object> answer) {
        long now = number(answer.get(0));
        List<StoredMessage> messages = new ArrayList<>(answer.size());
        for (int i = 2; i < answer.size(); i++) {
            byte[] text = (byte[]) answer.get(i);
            if (text.length > 0) {
                messages.add(MessageReader.taken(text, now));
            } else {
                messages.add(MessageReader.taken(
                        text(answer.get(i + 1)), (byte[]) answer.get(i + 2), (byte[]) answer.get(i + 3), now));
                i += 3;
            }
        }
        return messages;
    }

    CompletionStage<ClaimResult> claim(ClaimRequest request) {
        byte[] lease = RedisKeys.bytes(request.leaseMillis());
        byte[] isolate = RedisKeys.bytes(request.isolateTries());
        byte[] isolateExpired = RedisKeys.bytes(request.isolateExpiredTries());
        return inParts("reserve", claims, request, (max, call, before, token, repeated) -> {
            String fence = MessageIds.hash(token);
            byte[][] names = {keys.index, keys.hash, keys.claims, call, before};
            return link.run(
                            Scripts.CLAIM,
                            queue,
                            claims.tokens.withObsolete(names),
                            RedisKeys.bytes(max),
                            RedisOqQueue.READ_BYTES,
                            RedisOqQueue.MEMORY_MILLIS,
                            lease,
                            RedisKeys.bytes(fence),
                            isolate,
                            isolateExpired,
                            repeated ? ScriptArgs.ONE : ScriptArgs.ZERO,
                            marked)
                    .thenApply(answer -> result(answer, 4, 3, () -> claimed(answer, fence, repeated)));
        });
    }

    private static List<StoredMessage> claimed(List<Object> answer, String fence, boolean repeated) {
        boolean isolated = number(answer.get(2)) == 1;
        String ends = text(answer.get(3));
        List<String> ids = new ArrayList<>(answer.size());
        List<byte[]> texts = new ArrayList<>(answer.size());
        for (int i = 4; i < answer.size(); i++) {
            byte[] text = (byte[]) answer.get(i);
            if (text.length > 0) {
                ids.add(MessageReader.id(text));
                texts.add(text);
            } else {
                ids.add(text(answer.get(i + 1)));
                texts.add((byte[]) answer.get(i + 2));
                i += 2;
            }
        }
        // What a repetition finds may be less than what is leased: what has no text.
        ClaimToken claimed = repeated ? ClaimToken.ofUnknownBatch(fence, ends) : ClaimToken.ofBatch(fence, ends, ids);
        Lease lease = new Lease(claimed.token(), ends.isEmpty() ? 0 : (long) Double.parseDouble(ends), isolated);
        List<StoredMessage> messages = new ArrayList<>(ids.size());
        for (int i = 0; i < ids.size(); i++) {
            messages.add(MessageReader.claimed(ids.get(i), texts.get(i), lease));
        }
        if (repeated) {
            // Where a lease ends, Redis has its messages by their ids.
            messages.sort(Comparator.comparingLong(StoredMessage::dueMillis).thenComparing(StoredMessage::id));
        }
        return messages;
    }

    /**
     * What the messages of a claim have in common.
     *
     * @param token of their receipts
     * @param endMillis of the lease
     */
    record Lease(String token, long endMillis, boolean isolated) {}

    /** A script, under the key of its call, behind the one under another key. */
    private interface ClaimScript {
        CompletionStage<ClaimResult> send(int max, byte[] call, byte[] before, String token, boolean repeated);
    }

    private CompletionStage<ClaimResult> inParts(String step, Kind kind, ClaimRequest request, ClaimScript asker) {
        CallTokens.Call remembered = kind.tokens.begin(request.token());
        boolean repeated = remembered.repeated();
        // A repetition asks for no less than what may be done already.
        boolean few = kind.scarce && !repeated;
        int max = Math.min(request.max(), few ? RedisOqBackend.MAX_SCRIPT : RedisOqBackend.MAX_BATCH);
        return remembered
                .track(parts.claim(step, max, request.token(), (most, token, before) -> {
                    byte[] call = keys.call(token);
                    return asker.send(most, call, before.equals(token) ? call : keys.call(before), token, repeated)
                            .thenApply(found -> {
                                if (found.size() > 0) {
                                    remembered.answered(call); // what finds nothing at once is not remembered
                                }
                                return found;
                            });
                }))
                .thenApply(found -> {
                    ClaimResult all = merged(found);
                    kind.scarce = all.size() < max;
                    return all;
                });
    }

    private static ClaimResult merged(List<ClaimResult> parts) {
        if (parts.size() == 1) {
            return parts.get(0);
        }
        ClaimResult last = parts.get(parts.size() - 1);
        int size = 0;
        for (ClaimResult part : parts) {
            size += part.size();
        }
        int count = size;
        return ClaimResult.builder()
                .messages(count, () -> {
                    List<StoredMessage> messages = new ArrayList<>(count);
                    parts.forEach(part -> messages.addAll(part.messages()));
                    return messages;
                })
                .nextMillis(last.nextMillis())
                .storageMillis(last.storageMillis())
                .build();
    }

    /**
     * What a script found.
     *
     * @param from where in the answer its messages begin
     * @param longer as so many values a message stands there before whose text is an empty one; any other is its text
     */
    private static ClaimResult result(List<Object> answer, int from, int longer, Supplier<List<StoredMessage>> read) {
        int size = 0;
        for (int i = from; i < answer.size(); i++) {
            size++;
            if (((byte[]) answer.get(i)).length == 0) {
                i += longer - 1;
            }
        }
        long next = number(answer.get(1));
        return ClaimResult.builder()
                .messages(size, read)
                .nextMillis(next < 0 ? ClaimResult.NONE : next)
                .storageMillis(number(answer.get(0)))
                .build();
    }
}
