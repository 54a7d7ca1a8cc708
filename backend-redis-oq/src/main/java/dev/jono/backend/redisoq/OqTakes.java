package dev.jono.backend.redisoq;

import static dev.jono.support.redis.Replies.number;
import static dev.jono.support.redis.Replies.text;

import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.redis.CallTokens;
import dev.jono.support.redis.MessageIds;
import dev.jono.support.redis.Parts;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Takes and claims. One of each is under way at a time, as up to three scripts. */
final class OqTakes {
    private static final Comparator<ClaimResult> FIRST = Comparator.comparing(
            part -> part.messages().get(0),
            Comparator.comparingLong(StoredMessage::dueMillis).thenComparing(StoredMessage::id));

    private final RedisLink link;
    private final String queue;
    private final OqKeys keys;
    private final Parts parts;
    /** Only the latest call is ever repeated; what a take brought is remembered with its payloads. */
    private final Kind takes = new Kind();

    private final Kind claims = new Kind();

    OqTakes(RedisLink link, String queue, OqKeys keys) {
        this.link = link;
        this.queue = queue;
        this.keys = keys;
        this.parts = new Parts(queue, RedisOqBackend.MAX_SCRIPT);
    }

    /** What is known of the calls of one kind. */
    private static final class Kind {
        final CallTokens tokens = new CallTokens(3);
        /** Whether the latest call brought less than it asked for: then a second script would hardly find anything. */
        volatile boolean scarce;
    }

    CompletionStage<ClaimResult> take(ClaimRequest request) {
        return inParts("pop", takes, request, this::take);
    }

    private CompletionStage<ClaimResult> take(int max, String token) {
        byte[] call = keys.call(token);
        byte[][] names = {keys.index, keys.hash, keys.claims, call};
        return link.run(
                        OqScripts.TAKE,
                        queue,
                        takes.tokens.with(names),
                        RedisKeys.bytes(max),
                        OqQueue.READ_BYTES,
                        OqQueue.MEMORY_MILLIS)
                .thenApply(answer -> {
                    long now = number(answer.get(0));
                    List<StoredMessage> messages = new ArrayList<>(answer.size());
                    for (int i = 2; i < answer.size(); i++) {
                        byte[] text = (byte[]) answer.get(i);
                        if (text.length > 0) {
                            messages.add(OqMessages.taken(text, now));
                        } else {
                            messages.add(OqMessages.taken(
                                    text(answer.get(i + 1)),
                                    (byte[]) answer.get(i + 2),
                                    (byte[]) answer.get(i + 3),
                                    now));
                            i += 3;
                        }
                    }
                    return found(answer, messages, takes, call);
                });
    }

    CompletionStage<ClaimResult> claim(ClaimRequest request) {
        byte[] first = keys.call(request.token());
        String fence = MessageIds.hash(request.token());
        byte[] lease = RedisKeys.bytes(request.leaseMillis());
        byte[] isolate = RedisKeys.bytes(request.isolateTries());
        byte[] isolateExpired = RedisKeys.bytes(request.isolateExpiredTries());
        return inParts("reserve", claims, request, (max, token) -> {
            byte[] call = keys.call(token);
            byte[][] names = {keys.index, keys.hash, keys.claims, call, first};
            return link.run(
                            OqScripts.CLAIM,
                            queue,
                            claims.tokens.with(names),
                            RedisKeys.bytes(max),
                            OqQueue.READ_BYTES,
                            OqQueue.MEMORY_MILLIS,
                            lease,
                            RedisKeys.bytes(fence),
                            isolate,
                            isolateExpired)
                    .thenApply(answer -> {
                        boolean isolated = number(answer.get(2)) == 1;
                        List<StoredMessage> messages = new ArrayList<>(answer.size() / 2);
                        for (int i = 3; i < answer.size(); i += 2) {
                            messages.add(OqMessages.claimed(
                                    text(answer.get(i)), (byte[]) answer.get(i + 1), fence, isolated));
                        }
                        return found(answer, messages, claims, call);
                    });
        });
    }

    private CompletionStage<ClaimResult> inParts(
            String step, Kind kind, ClaimRequest request, Parts.Asker<ClaimResult> asker) {
        int max = Math.min(request.max(), kind.scarce ? RedisOqBackend.MAX_SCRIPT : RedisOqBackend.MAX_BATCH);
        return parts.ask(step, max, request.token(), asker).thenApply(found -> {
            ClaimResult all = joined(found);
            kind.scarce = all.messages().size() < max;
            return all;
        });
    }

    private static ClaimResult joined(List<ClaimResult> parts) {
        if (parts.size() == 1) {
            return parts.get(0);
        }
        List<StoredMessage> messages = new ArrayList<>(RedisOqBackend.MAX_SCRIPT * parts.size());
        parts.stream()
                .filter(part -> !part.messages().isEmpty())
                .sorted(FIRST) // a script that had to be sent again comes behind those after it
                .forEach(part -> messages.addAll(part.messages()));
        ClaimResult last = parts.get(parts.size() - 1);
        return ClaimResult.builder()
                .messages(messages)
                .nextMillis(last.nextMillis())
                .storageMillis(last.storageMillis())
                .build();
    }

    private static ClaimResult found(List<Object> answer, List<StoredMessage> messages, Kind kind, byte[] call) {
        if (!messages.isEmpty()) {
            kind.tokens.answered(call); // a call that found nothing is not remembered
        }
        long next = number(answer.get(1));
        return ClaimResult.builder()
                .messages(messages)
                .nextMillis(next < 0 ? ClaimResult.NONE : next)
                .storageMillis(number(answer.get(0)))
                .build();
    }
}
