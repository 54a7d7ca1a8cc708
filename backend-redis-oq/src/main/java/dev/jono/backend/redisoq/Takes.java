package dev.jono.backend.redisoq;

import static dev.jono.support.redis.Replies.number;
import static dev.jono.support.redis.Replies.text;

import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.redis.CallTokens;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Removes due messages and returns them. */
final class Takes {
    private static final int FIRST_MESSAGE = 2;
    private static final int LONG_MESSAGE = 4;

    private final RedisLink link;
    private final String queue;
    private final QueueKeys keys;
    private final ClaimChain chain;

    Takes(RedisLink link, String queue, QueueKeys keys) {
        this.link = link;
        this.queue = queue;
        this.keys = keys;
        this.chain = new ClaimChain("pop", queue, keys);
    }

    /** The tokens of the calls that Redis remembers. */
    CallTokens tokens() {
        return chain.tokens();
    }

    CompletionStage<ClaimResult> take(ClaimRequest request) {
        return chain.run(request, this::send);
    }

    private CompletionStage<ClaimResult> send(ClaimChain.Step step) {
        return link.run(
                        keys.scripts.take,
                        queue,
                        chain.keys(step),
                        RedisKeys.bytes(step.max),
                        Limits.READ_BYTES,
                        Limits.MEMORY_MILLIS,
                        ScriptArgs.flag(step.repeated))
                .thenApply(answer -> ClaimChain.result(answer, FIRST_MESSAGE, LONG_MESSAGE, () -> messages(answer)));
    }

    private static List<StoredMessage> messages(List<Object> answer) {
        long now = number(answer.get(0));
        List<StoredMessage> messages = new ArrayList<>(answer.size());
        for (int i = FIRST_MESSAGE; i < answer.size(); i++) {
            byte[] text = (byte[]) answer.get(i);
            if (text.length > 0) {
                messages.add(MessageReader.taken(text, now));
            } else {
                messages.add(MessageReader.taken(
                        text(answer.get(i + 1)), (byte[]) answer.get(i + 2), (byte[]) answer.get(i + 3), now));
                i += LONG_MESSAGE - 1;
            }
        }
        return messages;
    }
}
